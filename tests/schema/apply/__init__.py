"""Tests of kube_twisted.schema.apply."""
