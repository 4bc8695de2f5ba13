"""Authorization by roles and bindings (the Kubernetes documentation, "Using RBAC Authorization")."""
