"""Built-in bots: pure policies that see one seat's view and its legal commands, and nothing else."""
