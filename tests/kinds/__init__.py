"""Every built-in kind goes through every verb."""
