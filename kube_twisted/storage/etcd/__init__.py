"""The store over etcd v3, spoken to by gRPC on Twisted and h2."""
