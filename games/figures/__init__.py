"""What the logs teach: finished games in figures, counted once each, and what many of them say together."""
