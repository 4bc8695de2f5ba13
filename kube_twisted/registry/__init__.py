"""The generic store and one strategy per resource."""
