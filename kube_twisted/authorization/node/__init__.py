"""What kubelets may do: a node is let at itself, and at what its pods need (KEP-279, KEP-4601)."""
