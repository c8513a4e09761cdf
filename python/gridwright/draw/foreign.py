"""SVG strings from elsewhere, reduced to drawings: nothing in them can run code, load files or link to other pages."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

__all__ = ["read"]

_SVG = "{http://www.w3.org/2000/svg}"
_LINK = "{http://www.w3.org/1999/xlink}href"

_DRAWN = (
    "g defs use symbol path rect circle ellipse line polyline polygon text tspan image clipPath mask pattern "
    "linearGradient radialGradient stop title desc marker"
)
_ELEMENTS = frozenset(_DRAWN.split())
"""Elements that only draw. Scripts, foreign objects, links, styles and animations are not among them."""

_OWN = re.compile(r"#[\w:.-]+")
_PIXELS = re.compile(r"data:image/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*")
_LOCAL_URL = re.compile(r"url\(\s*['\"]?#[\w:.-]+['\"]?\s*\)")
_REFUSED = ("url(", "image(", "image-set(", "src(", "javascript:", "expression(", "@import", "\\")
"""What an attribute must not contain: the CSS that loads files or runs code, and the escapes that could hide it."""
_MAX_CHARACTERS = 50_000_000
_MAX_DEPTH = 100
"""The maximum depth of nested elements. Reading and writing elements take at least one Python call per level."""


def read(text: str) -> ElementTree.Element:
    """Parses SVG text and removes every element and attribute that could do more than draw.

    * ``text``: SVG text of at most 50 million characters; ``ValueError`` if it is longer, is not SVG, has a document
      type, or nests elements more than 100 deep.

    >>> root = read('<svg xmlns="http://www.w3.org/2000/svg"><rect onload="x()"/><script>y()</script></svg>')
    >>> [(child.tag.partition("}")[2], child.attrib) for child in root]
    [('rect', {})]
    """
    if len(text) > _MAX_CHARACTERS:
        raise ValueError(f"frames must be at most {_MAX_CHARACTERS:,} characters long, got {len(text):,}")
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        # Entities may expand without bound.
        raise ValueError("frames must be SVG strings without a document type, got one with a document type")
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise ValueError(f"frames must be SVG strings, got one that does not parse: {error}") from None
    if root.tag != f"{_SVG}svg":
        raise ValueError("frames must be SVG strings, got one whose root is not an svg element in the SVG namespace")
    _clean(root)
    return root


def _clean(parent: ElementTree.Element, depth: int = 1) -> None:
    if depth > _MAX_DEPTH:
        raise ValueError(f"frames must nest elements at most {_MAX_DEPTH} deep, got more")
    for name, value in list(parent.attrib.items()):
        if not _harmless(name, value):
            del parent.attrib[name]
    for child in list(parent):
        tag = child.tag if isinstance(child.tag, str) else ""
        if tag.startswith(_SVG) and tag.removeprefix(_SVG) in _ELEMENTS:
            _clean(child, depth + 1)
        else:
            parent.remove(child)


def _harmless(name: str, value: str) -> bool:
    bare = name.rpartition("}")[2].lower()
    if bare.startswith("on"):
        return False
    if bare == "href":
        return bool(_OWN.fullmatch(value.strip()) or _PIXELS.fullmatch(value.strip()))
    if name.startswith("{") and name != _LINK:
        return False
    # Paints, masks and styles may refer to parts of the same picture, and to nothing else.
    rest = _LOCAL_URL.sub("", value).lower()
    return not any(word in rest for word in _REFUSED)
