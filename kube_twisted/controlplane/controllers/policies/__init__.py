"""The controller that checks the types in validating admission policies."""
