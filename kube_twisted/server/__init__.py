"""GenericAPIServer: the handler chain, the layer trees, the life of a server, health, metrics, TLS."""
