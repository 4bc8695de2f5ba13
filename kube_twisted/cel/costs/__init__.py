"""What evaluations cost: estimated before, counted while they run."""
