"""Accounts, tokens, and what becomes of a player's data."""
