"""The small controllers that a server can run by itself: clients inside the process."""
