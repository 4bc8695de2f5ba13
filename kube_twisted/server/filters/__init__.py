"""The filters of the handler chain, one concern a file; ``server/chain.py`` has their order."""
