"""Endpoints of resources that are not objects in a store."""
