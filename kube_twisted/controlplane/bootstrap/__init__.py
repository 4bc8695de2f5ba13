"""What every cluster has from its first moment, made at the start and kept in being."""
