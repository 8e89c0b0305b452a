"""A real system, and what can be done to it while games run."""
