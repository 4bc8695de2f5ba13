"""The server in front: APIServices."""
