"""Tournaments live, on the stream process of the games: what of them is followed, and what concerns a player."""
