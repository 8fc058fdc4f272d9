"""MemFlow: long-term memory for small local language models."""
