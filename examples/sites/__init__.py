"""Small sites as well-known software makes them, served on this machine only, of which everything that is true is known.

Written by us from the names that public themes give their elements; what is on the sites is invented.
"""

from collections.abc import Callable, Mapping
from importlib import import_module

from .site import Made, RunningSite, Truth, Variation

MODULES: Mapping[str, str] = {
    "wordpress": "wordpress", "blogger": "blogger", "phpbb": "phpbb", "discourse": "discourse", "ghost": "ghost", "drupal": "drupal",
    "typo3-news": "typo3", "smf": "bulletin_boards", "mybb": "bulletin_boards", "xenforo": "bulletin_boards", "sitemap": "plain_sites",
    "feed": "plain_sites", "live-blog": "plain_sites",
}  # fmt: skip
SOFTWARE: Mapping[str, Callable[[str, Variation], Made]] = {
    name: import_module(f"{__name__}.{module}").site for name, module in MODULES.items()
}

__all__ = ["SOFTWARE", "Made", "RunningSite", "Truth", "Variation"]
