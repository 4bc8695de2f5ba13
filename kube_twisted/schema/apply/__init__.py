"""Server-side apply and field ownership (``metadata.managedFields``, KEP-555): who owns which field, and merging."""
