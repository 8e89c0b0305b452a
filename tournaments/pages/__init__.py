"""What a tournament looks like: its words, its picture, and the public pages that need no log-in."""
