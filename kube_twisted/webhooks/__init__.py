"""Calling webhooks: where they are, how they are asked, and what their answers mean."""
