"""The public pages of games: a finished game replayed, as any seat saw it."""
