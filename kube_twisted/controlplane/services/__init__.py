"""Services and what they hold: cluster IPs and node ports, given and taken back in the Service's own transaction."""
