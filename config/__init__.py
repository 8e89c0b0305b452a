"""The project's frame: settings, processes, and the edges where it meets the world."""
