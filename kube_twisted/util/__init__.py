"""Clock, one-shot signals, Deferred tools. No Kubernetes words."""
