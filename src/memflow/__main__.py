"""`python -m memflow` is the command `memflow`."""

from __future__ import annotations

from memflow.cli import main

if __name__ == "__main__":
    main(prog_name="memflow")
