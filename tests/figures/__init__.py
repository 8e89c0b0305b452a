"""Figures of finished games."""
