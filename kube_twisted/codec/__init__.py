"""Bytes to objects and back: JSON and YAML."""
