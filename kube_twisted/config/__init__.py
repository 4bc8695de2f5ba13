"""The settings of a server, one section per file."""
