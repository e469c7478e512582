"""Which blocks of a page are its text, as a small sequence model sees it."""

import os

# Threads that multiply small matrices wait for one another thirty times longer than they work, and in training add in another order each
# time. numpy asks only when it is loaded, which every module of this package leaves to itself.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
