"""Environments of other projects: steps a second by random legal actions. Each is measured where it is installed.

``pip install minigrid``, ``pip install pgx jumanji`` (they bring JAX, some 800 MB, and so are no part of the extra
``bench``). JAX is kept to one thread; what it compiles is compiled before the clock starts.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

from .common import best, peer, quick, rate

STEPS = 20


def jumanji(n: int) -> str:
    """Minesweeper of Jumanji, 10x10 with 10 mines, n games."""
    found = _jax("jumanji")
    if not found:
        return "Jumanji is not installed"
    jax, jnp, library = found
    make = peer("jumanji.environments.logic.minesweeper.generator").UniformSamplingGenerator
    env = peer("jumanji.wrappers").VmapAutoResetWrapper(library.environments.Minesweeper(generator=make(10, 10, 10)))

    def draw(both: Any, key: Any) -> Any:
        mask = both[1].observation.action_mask.reshape(n, -1)
        flat = jax.random.categorical(key, jnp.log(mask.astype(jnp.float32)), axis=-1)
        return jnp.stack(jnp.unravel_index(flat, (10, 10)), -1).astype(jnp.int32)

    first = env.reset(jax.random.split(jax.random.PRNGKey(0), n))
    return f"Jumanji Minesweeper {_rolled(jax, first, draw, lambda both, action, _: env.step(both[0], action), n)}"


def pgx(n: int) -> str:
    """2048 of Pgx, n games."""
    found = _jax("pgx")
    if not found:
        return "Pgx is not installed"
    jax, jnp, library = found
    env = library.make("2048")
    step = jax.vmap(peer("pgx.experimental.wrappers").auto_reset(env.step, env.init))

    def draw(state: Any, key: Any) -> Any:
        return jax.random.categorical(key, jnp.log(state.legal_action_mask.astype(jnp.float32)), axis=-1)

    first = jax.vmap(env.init)(jax.random.split(jax.random.PRNGKey(0), n))
    return f"Pgx 2048 {_rolled(jax, first, draw, lambda state, action, keys: step(state, action, keys), n)}"


def minigrid() -> str:
    """An empty room of Minigrid, one environment with Gymnasium's wrappers."""
    if not peer("minigrid"):
        return "Minigrid is not installed"
    env = peer("gymnasium").make("MiniGrid-Empty-8x8-v0")
    env.reset(seed=1)

    def steps() -> None:
        for action in [0, 2, 1, 2] * 250:
            if any(env.step(action)[2:4]):
                env.reset()

    return f"Minigrid {rate(1000 / best(steps, 5), 'steps')}"


def _jax(name: str) -> tuple[Any, Any, Any] | None:
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
    library = peer(name)
    return (peer("jax"), peer("jax.numpy"), library) if library else None


def _rolled(jax: Any, first: Any, draw: Callable[..., Any], step: Callable[..., Any], n: int) -> str:
    """Plays on inside one compiled loop, which is how these libraries are fastest."""

    def one(carry: Any, _: None) -> Any:
        state, key = carry
        key, choose, chance = jax.random.split(key, 3)
        return (step(state, draw(state, choose), jax.random.split(chance, n)), key), None

    roll = jax.jit(lambda state, key: jax.lax.scan(one, (state, key), None, length=STEPS)[0])
    carry = jax.block_until_ready(roll(first, jax.random.PRNGKey(1)))
    times = []
    for _ in range(quick(5, 1)):
        start = time.process_time()
        carry = jax.block_until_ready(roll(*carry))
        times.append(time.process_time() - start)
    return rate(n * STEPS / sorted(times)[len(times) // 2], "steps")
