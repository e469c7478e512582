"""From a page to knowledge: pure functions of (page, config).

`from webarticlecurator import extract` gives this package, whatever was imported before; so it can be called like the function
`extract` in `article.py`.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _Extract(ModuleType):
    def __call__(self, *page: Any, **how: Any) -> Any:
        from webarticlecurator.extract.article import extract

        return extract(*page, **how)


sys.modules[__name__].__class__ = _Extract
