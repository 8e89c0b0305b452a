"""Proving that a log is what was played: its export, and the check that needs nothing else."""
