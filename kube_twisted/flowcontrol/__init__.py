"""How many requests run at once."""
