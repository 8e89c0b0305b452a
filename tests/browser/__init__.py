"""The desk and the public pages in a real browser, against a real system."""
