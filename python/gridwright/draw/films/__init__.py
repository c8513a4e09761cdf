"""Algorithms at work, as animations drawn from the columns that the algorithms return.

>>> import gridwright as gw
>>> from gridwright.draw import films
>>> films.state_space(gw.Bloxorz.level("level01"))
Animation of 9 frames

Most films show the pseudocode of the algorithm, with the current lines highlighted.

``film.predict()`` hides the next step until the reader clicks where it will happen. It works for the films of
``chances``, ``diameter``, ``forest``, ``light``, ``line``, ``power``, ``state_space`` and ``union_find``;
``Animation.predict`` documents the exceptions.

``forest``, ``kruskal``, ``line`` and ``state_space`` take ``own=``, the reader's own answer, and show it together with
the correct one.

Every film takes these arguments:

* ``theme``: ``"light"``, ``"dark"`` or a ``Theme``; by default that of ``draw.use_theme`` or, if none is set, that of
  the page that shows the film.
* ``seconds``: the time per frame in seconds, 0.01 to 60. By default it is 0.8 for ``chances`` and ``line``, and
  otherwise 15 divided by the number of frames, but at least 0.05 and at most 0.6.
* ``progress``: a callable that receives the number of frames drawn, or an object with ``update``, such as a tqdm bar;
  ``None`` (the default) for no reports. ``state_space`` also counts the positions searched.
"""

from .chances import chances
from .lines import line
from .own import watch
from .paths import diameter
from .search import state_space
from .spread import light, power
from .trees import forest, kruskal, union_find

__all__ = ["chances", "diameter", "forest", "kruskal", "light", "line", "power", "state_space", "union_find", "watch"]
