"""The organiser's desk and the public pages, through Django's own client."""
