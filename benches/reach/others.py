"""Steps of Jumanji's Minesweeper environment with random legal actions, measured if Jumanji is installed.

``pip install jumanji`` also installs JAX, about 800 MB, so Jumanji is not in the extra ``bench``. JAX is limited to one
thread and compiles the steps before the measurement starts.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from .common import Work, peer

STEPS = 20


def jumanji(n: int) -> Work | None:
    """Returns a function that makes ``STEPS`` steps in ``n`` games on 10x10 boards with 10 mines.

    Returns ``None`` if Jumanji is not installed.
    """
    found = _jax("jumanji")
    if not found:
        return None
    jax, jnp, library = found
    make = peer("jumanji.environments.logic.minesweeper.generator").UniformSamplingGenerator
    env = peer("jumanji.wrappers").VmapAutoResetWrapper(library.environments.Minesweeper(generator=make(10, 10, 10)))

    def draw(both: Any, key: Any) -> Any:
        mask = both[1].observation.action_mask.reshape(n, -1)
        flat = jax.random.categorical(key, jnp.log(mask.astype(jnp.float32)), axis=-1)
        return jnp.stack(jnp.unravel_index(flat, (10, 10)), -1).astype(jnp.int32)

    first = env.reset(jax.random.split(jax.random.PRNGKey(0), n))
    return _rolled(jax, first, draw, lambda both, action, _: env.step(both[0], action), n)


def _jax(name: str) -> tuple[Any, Any, Any] | None:
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
    library = peer(name)
    return (peer("jax"), peer("jax.numpy"), library) if library else None


def _rolled(jax: Any, first: Any, draw: Callable[..., Any], step: Callable[..., Any], n: int) -> Work:
    """Returns a function that continues ``n`` games in one compiled loop, the fastest way to use a JAX library."""

    def one(carry: Any, _: None) -> Any:
        state, key = carry
        key, choose, chance = jax.random.split(key, 3)
        return (step(state, draw(state, choose), jax.random.split(chance, n)), key), None

    roll = jax.jit(lambda state, key: jax.lax.scan(one, (state, key), None, length=STEPS)[0])
    carry = jax.block_until_ready(roll(first, jax.random.PRNGKey(1)))

    def run() -> None:
        nonlocal carry
        carry = jax.block_until_ready(roll(*carry))

    return run
