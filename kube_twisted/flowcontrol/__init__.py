"""API priority and fairness: which requests go first when there are more than the server can work on (KEP-1040)."""
