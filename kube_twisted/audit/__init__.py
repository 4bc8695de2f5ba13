"""Audit: who did what, when, and what came of it."""
