"""A news portal of our own, served on this machine only, in fixed time: for the tutorial, the demo, the tests and the benchmarks."""

from .portal import Asked, ExamplePortal, portal_text
from .sections import TODAY, Form
from .switches import SWITCHES, Scope, Switch
from .truth import Truth

__all__ = ["SWITCHES", "TODAY", "Asked", "ExamplePortal", "Form", "Scope", "Switch", "Truth", "portal_text"]
