"""Who is asking: client certificates, tokens, anonymous."""
