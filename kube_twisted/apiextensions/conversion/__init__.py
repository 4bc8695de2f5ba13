"""Custom resources from one version to another: by their ``apiVersion`` alone, or by a webhook."""
