"""A record of what was asked and answered."""
