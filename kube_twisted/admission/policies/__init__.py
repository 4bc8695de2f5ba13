"""Admission policies: expressions that refuse writes (KEP-3488), and expressions that change them (KEP-3962)."""
