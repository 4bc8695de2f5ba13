"""The Common Expression Language as kube-apiserver uses it: parsing, type checking, cost, evaluation."""
