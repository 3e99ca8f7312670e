"""HTML pages from the templates of this package and of higher packages; all values are escaped."""

from __future__ import annotations

from functools import cache

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

HOME = __name__.rpartition(".")[0]


@cache
def _environment(package: str) -> Environment:
    loader = ChoiceLoader([PackageLoader(name, "") for name in dict.fromkeys((package, HOME))])
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)


def render(template: str, package: str = HOME, **values: object) -> str:
    """Render a package's template, which may import this package's own templates, such as ``pieces.html.j2``."""
    return _environment(package).get_template(template).render(**values)
