"""The pod spec that pods and all workload kinds share: its defaults, validation, updates and warnings."""
