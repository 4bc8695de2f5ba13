"""What may change or refuse a write after it was authorised: the chain and its plugins."""
