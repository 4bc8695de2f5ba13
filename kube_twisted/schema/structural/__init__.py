"""Structural schemas of CustomResourceDefinitions at work on objects: pruning, defaulting, validation, ownership."""
