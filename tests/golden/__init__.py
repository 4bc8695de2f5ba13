"""Recorded conversations with a real kube-apiserver 1.36, and their replay."""
