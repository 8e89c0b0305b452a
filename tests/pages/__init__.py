"""The public pages of games, without a browser."""
