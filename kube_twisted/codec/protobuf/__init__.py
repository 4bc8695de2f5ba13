"""The wire format ``application/vnd.kubernetes.protobuf`` of the built-in kinds: plain data to bytes and back."""
