"""Expressions about one write: what they may name, what they may cost, and what becomes of their errors."""
