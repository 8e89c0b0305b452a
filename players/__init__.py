"""Who plays: players, their tokens, and how a request says whose it is."""
