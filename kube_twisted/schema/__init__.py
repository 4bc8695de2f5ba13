"""What Kubernetes types look like: fields, merging, pruning and field ownership. Pure functions."""
