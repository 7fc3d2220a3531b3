"""Plays matches on a Ray cluster, or on one that is started here for the purpose.

A match is a task. Whatever a lost machine was playing is played again on another; what it had
finished is here already, as the lines are written by whoever asked for them and nobody else.
"""

from __future__ import annotations

import os
import secrets
from collections import deque
from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from kibitz.arena.match import FinishedMatch, play_match
from kibitz.arena.plan import ArenaPlan, Match
from kibitz.core.message import Refused, message

LOCAL_CLUSTER = "local"
TASKS_PER_CORE = 4
"""Tasks handed out for each core of the cluster: none of them waits for the next."""


def play_over_ray(
    plan: ArenaPlan, matches: Iterable[Match], address: str
) -> Iterator[FinishedMatch]:
    """Each as it is finished; LOCAL starts a cluster of this machine alone."""
    if find_spec("ray") is None:
        raise Refused(message("arena.no-ray"))
    ray = connect_ray(address)
    # A task that is lost with its machine is no fault of the task.
    task = ray.remote(max_retries=-1, num_cpus=1)(play_match)
    shared, waiting = ray.put(plan), deque(matches)
    running: set[Any] = set()
    try:
        while waiting or running:
            while waiting and len(running) < TASKS_PER_CORE * _core_count(ray):
                running.add(task.remote(shared, waiting.popleft()))
            done, _ = ray.wait(list(running), num_returns=1)
            running.difference_update(done)
            yield from ray.get(done)
    finally:
        for each in running:
            ray.cancel(each, force=True)
        ray.shutdown()


def connect_ray(address: str) -> Any:
    """Ray, connected. Nobody without the token joins; a cluster that runs already has its own."""
    # Ray asks for both before it is imported.
    os.environ.setdefault("RAY_AUTH_MODE", "token")
    if address == LOCAL_CLUSTER:
        os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
    ray = import_module("ray")
    try:
        ray.init(address=address, log_to_driver=False, logging_level="ERROR")
    except Exception as error:
        why = str(error).partition("\n")[0][:200]
        raise Refused(message("arena.no-cluster", address=address, why=why)) from None
    return ray


def _core_count(ray: Any) -> int:
    """Of the machines that are there now."""
    return max(1, int(ray.cluster_resources().get("CPU", 1)))
