"""Proximal policy optimization with masked actions, in JAX: one file for all games.

After ``pip install 'gridwright[train]'``, ``python examples/baselines/ppo.py geese easy 1`` trains one agent. The
script prints the share of unseen puzzles that the agent solves and the share of the time that the environments took.
``make baselines`` trains all agents that have no result yet.

A training step is one function that JAX compiles. The function plays T steps in n games, calling the batch in Rust
through ``io_callback``. It then computes how much better than expected each move was (generalized advantage
estimation), and improves the network by a few passes of gradient descent on the clipped objective of Schulman et al.
(2017).
"""

from __future__ import annotations

import functools
import math
import os
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

os.environ.setdefault("JAX_PLATFORMS", "cpu")
# Small networks do not train faster on more than one thread, and with one thread, equal seeds give equal agents.
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax.training.train_state import TrainState
from jax.experimental import io_callback

# With asynchronous dispatch, a callback that waits for a JAX array could wait forever.
jax.config.update("jax_cpu_enable_async_dispatch", False)

STEPS = 32  # T, the steps of each game between two updates
GAMES = 64  # n, the number of games
PASSES, BATCH = 5, 128
TRACE = 0.9  # lambda
CLIP, ENTROPY, VALUE = 0.2, 0.01, 0.5
RATE = 1e-3


class Games(Protocol):
    """Many games that are played in parallel; a game that has ended starts again in the next step."""

    bounds: tuple[int, ...]
    discount: float
    """The factor of the next value: gamma, or -gamma if the opponent, whose gain is a loss, moves next."""

    def reset(self, seed: int) -> tuple[np.ndarray, np.ndarray]:
        """Starts all games; returns planes ``(n, P, H, W)`` and masks of legal actions ``(n, actions)``."""

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, ...]:
        """Makes a move in each game; returns planes, masks, rewards, terminated, truncated."""


class Near(nn.Module):
    """A 3 x 3 convolution as a matrix product: on a CPU, XLA's own convolution is ten times slower inside ``scan``."""

    width: int

    @nn.compact
    def __call__(self, x: jax.Array) -> jax.Array:
        """Maps an array ``(n, H, W, channels)`` to an array ``(n, H, W, width)``."""
        height, width = x.shape[1:3]
        wide = jnp.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
        around = [wide[:, i : i + height, j : j + width] for i in range(3) for j in range(3)]
        return nn.Dense(self.width)(jnp.concatenate(around, -1))


class Network(nn.Module):
    """The network: three convolutions, then layers that depend on whether a move is a key, a cell, or two cells."""

    bounds: tuple[int, ...]
    width: int = 16

    @nn.compact
    def __call__(self, planes: jax.Array) -> tuple[jax.Array, jax.Array]:
        """Returns the logits of all actions ``(n, actions)`` and the values ``(n,)``."""
        x = jnp.moveaxis(planes, 1, -1).astype(jnp.float32)
        for _ in range(3):
            x = nn.relu(Near(self.width)(x))
        flat = nn.relu(nn.Dense(96)(x.reshape(len(x), -1)))
        value = nn.Dense(1)(flat)[:, 0]
        small = nn.initializers.orthogonal(0.01)
        if len(self.bounds) == 1:
            return nn.Dense(self.bounds[0], kernel_init=small)(flat), value
        # The features of the whole board are added to the features of every cell.
        x = nn.relu(nn.Dense(self.width)(x) + nn.Dense(self.width)(flat)[:, None, None, :])
        if len(self.bounds) == 3:
            return jnp.moveaxis(nn.Dense(self.bounds[0], kernel_init=small)(x), -1, 1).reshape(len(x), -1), value
        cells = x.reshape(len(x), -1, self.width)
        one, two = nn.Dense(16)(cells), nn.Dense(16, kernel_init=small)(cells)
        return jnp.einsum("nic,njc->nij", one, two).reshape(len(x), -1), value


def masked(logits: jax.Array, masks: jax.Array) -> jax.Array:
    """Returns the log probabilities of all actions; the probability of an illegal action is 0."""
    return jax.nn.log_softmax(jnp.where(masks, logits, -1e9))


class Moves(NamedTuple):
    """The record of T steps in n games, as arrays ``(T, n, ...)``."""

    planes: jax.Array
    masks: jax.Array
    actions: jax.Array
    chances: jax.Array  # the log probability with which each action was drawn
    values: jax.Array
    rewards: jax.Array
    terminated: jax.Array
    ended: jax.Array
    real: jax.Array  # False for a step that only starts a game again


def advantages(moves: Moves, last: jax.Array, discount: float) -> jax.Array:
    """Returns by how much the outcome of each move exceeds the prediction: sums of prediction errors.

    The errors of later steps are discounted by gamma * lambda per step.
    """

    def back(after: tuple[jax.Array, jax.Array], at: Moves) -> tuple[tuple[jax.Array, jax.Array], jax.Array]:
        value, advantage = after
        error = at.rewards + discount * value * ~at.terminated - at.values
        found = error + discount * TRACE * advantage * ~at.ended
        return (at.values, found), found

    return jax.lax.scan(back, (last, jnp.zeros_like(last)), moves, reverse=True)[1]


def loss(params: Any, apply: Callable[..., Any], moves: Moves, gains: jax.Array, goals: jax.Array) -> jax.Array:
    """Returns the loss: the negative clipped objective, plus the weighted value errors, minus the weighted entropy."""
    logits, values = apply(params, moves.planes)
    chances = masked(logits, moves.masks)
    chosen = jnp.take_along_axis(chances, moves.actions[:, None], 1)[:, 0]
    ratio = jnp.exp(chosen - moves.chances)
    clipped = jnp.clip(ratio, 1 - CLIP, 1 + CLIP)
    entropy = -(jnp.exp(chances) * chances * moves.masks).sum(1)
    each = -jnp.minimum(ratio * gains, clipped * gains) + VALUE * (values - goals) ** 2 - ENTROPY * entropy
    return (each * moves.real).sum() / moves.real.sum()


class Agent(NamedTuple):
    """Everything that a training step changes."""

    state: TrainState
    planes: jax.Array
    masks: jax.Array
    ended: jax.Array
    key: jax.Array


@functools.lru_cache  # an agent with the same optimizer object reuses the compiled training step
def _optimizer(updates: int) -> optax.GradientTransformation:
    rate = optax.linear_schedule(RATE, 0.05 * RATE, updates * PASSES * (STEPS * GAMES // BATCH))
    return optax.chain(optax.clip_by_global_norm(0.5), optax.adam(rate, eps=1e-5))


def start(games: Games, network: Network, seed: int, updates: int) -> Agent:
    """Returns an untrained agent before its first move."""
    planes, masks = games.reset(seed)
    key, first = jax.random.split(jax.random.key(seed))
    params = network.init(first, jnp.asarray(planes))
    state = TrainState.create(apply_fn=network.apply, params=params, tx=_optimizer(updates))
    return Agent(state, jnp.asarray(planes), jnp.asarray(masks), jnp.zeros(len(masks), bool), key)


@functools.lru_cache
def training_step(games: Games) -> Callable[[Agent], Agent]:
    """Returns the compiled function that plays T steps in all games and then improves the network."""

    def played(actions: Any) -> tuple[np.ndarray, ...]:
        return games.step(np.asarray(actions))

    def move(agent: Agent, _: None) -> tuple[Agent, Moves]:
        key, draw = jax.random.split(agent.key)
        logits, values = agent.state.apply_fn(agent.state.params, agent.planes)
        chances = masked(logits, agent.masks)
        actions = jax.random.categorical(draw, chances)
        n = len(actions)
        shapes = [jax.ShapeDtypeStruct(a.shape, a.dtype) for a in (agent.planes, agent.masks)]
        shapes += [jax.ShapeDtypeStruct((n,), kind) for kind in (jnp.float32, bool, bool)]
        planes, masks, rewards, terminated, truncated = io_callback(played, tuple(shapes), actions, ordered=True)
        chosen = jnp.take_along_axis(chances, actions[:, None], 1)[:, 0]
        ended = terminated | truncated
        seen = (agent.planes, agent.masks, actions, chosen, values, rewards, terminated, ended, ~agent.ended)
        return agent._replace(planes=planes, masks=masks, ended=ended, key=key), Moves(*seen)

    @jax.jit
    def learn(agent: Agent) -> Agent:
        agent, moves = jax.lax.scan(move, agent, length=STEPS)
        _, last = agent.state.apply_fn(agent.state.params, agent.planes)
        gains = advantages(moves, last, games.discount)
        goals = gains + moves.values
        mean = (gains * moves.real).sum() / moves.real.sum()
        spread = jnp.sqrt((((gains - mean) ** 2) * moves.real).sum() / moves.real.sum())
        gains = (gains - mean) / (spread + 1e-6)
        everything = jax.tree.map(lambda a: a.reshape(-1, *a.shape[2:]), (moves, gains, goals))

        def descend(state: TrainState, places: jax.Array) -> tuple[TrainState, None]:
            part = jax.tree.map(lambda a: a[places], everything)
            return state.apply_gradients(grads=jax.grad(loss)(state.params, state.apply_fn, *part)), None

        key, *orders = jax.random.split(agent.key, 1 + PASSES)
        places = jnp.concatenate([jax.random.permutation(order, STEPS * GAMES) for order in orders])
        state, _ = jax.lax.scan(descend, agent.state, places.reshape(-1, BATCH))
        return agent._replace(state=state, key=key)

    return learn


@functools.lru_cache
def _chances(network: Network) -> Callable[..., jax.Array]:
    return jax.jit(lambda params, planes, masks: masked(network.apply(params, planes)[0], masks))


def policy(network: Network, params: Any, seed: int) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """Returns a player that draws actions with the probabilities that the network assigns to them."""
    rng = np.random.default_rng(seed)

    def choose(planes: np.ndarray, masks: np.ndarray) -> np.ndarray:
        chances = np.asarray(_chances(network)(params, planes, masks))
        return np.argmax(chances + rng.gumbel(size=chances.shape), axis=1)

    return choose


def main(name: str = "bloxorz", grade: str = "easy", seed: str = "1", steps: str = "100000") -> int:
    """Trains one agent; prints the share of unseen puzzles that it solves and the environments' share of the time."""
    from settings import Puzzles, setting, solved

    task = setting(name, grade)
    games = Puzzles(task, GAMES)
    network = Network(games.bounds)
    updates = max(2, math.ceil(int(steps) / (STEPS * GAMES)))
    agent, learn = start(games, network, int(seed), updates), training_step(games)
    agent = learn(agent)  # The first update compiles the training step and is not timed.
    games.spent, begun = 0.0, time.process_time()
    for update in range(2, updates + 1):
        agent = learn(agent)
        if update % 10 == 0:
            print(f"{update * STEPS * GAMES:9,} steps: {games.won():.1%} of the last episodes won", flush=True)
    total = time.process_time() - begun
    share = solved(task, task.puzzles("test"), policy(network, agent.state.params, 1))[0]
    print(f"{name}, {grade}: {share:.1%} of unseen puzzles solved after {updates * STEPS * GAMES:,} steps")
    rate = (updates - 1) * STEPS * GAMES / total
    print(f"{rate:,.0f} steps/s; the environments took {games.spent / total:.1%} of the time")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
