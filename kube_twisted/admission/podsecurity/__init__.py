"""The Pod Security Standards: levels, versions, and the controls of each (KEP-2579)."""
