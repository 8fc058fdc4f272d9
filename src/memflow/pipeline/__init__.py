"""The flow: question to answer, and turns to store."""
