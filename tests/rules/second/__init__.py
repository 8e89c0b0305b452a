"""A second engine, written from the text of the rules alone and in the plainest way, to check the first against.

It shares no code with ``games.rules``: cards are texts, a table is changed in place, nothing is an event. Where the
two differ, one of them has misread the rules.
"""
