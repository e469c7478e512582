"""The long run: what a person cannot wait for in a test. `make soak` runs it, and prints what came out."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / "support")]
