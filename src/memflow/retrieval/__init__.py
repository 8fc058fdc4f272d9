"""Stage 3: find candidate chunks for a question."""
