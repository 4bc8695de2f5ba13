"""The kube server: built-in groups, bootstrap, and the small controllers of a lone server."""
