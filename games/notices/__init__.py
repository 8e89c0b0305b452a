"""E-mails about slow games and tournaments, for those who asked for them: once each, and only what still holds."""
