"""A real server in a child process, and ways to talk to it."""
