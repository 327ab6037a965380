"""Workers may be elsewhere, and may die: the results are the same."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from cardrun.interpreter.simulation.cluster import (
    ClusterTrouble,
    carry_text,
    gather_cluster,
)
from cardrun.interpreter.simulation.crew import Crew, gather_processes
from cardrun.interpreter.simulation.simulate import Batch, load_batch, simulate

GAMES = 1500


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Start a real cluster of two processes here."""
    dask = pytest.importorskip("distributed", reason="Dask is not installed")
    with dask.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None
    ) as started:
        yield started


def address_of(cluster: Any) -> str:
    """Return the address as it is typed."""
    return str(cluster.scheduler_address).replace("tcp://", "dask://")


def make_batch() -> Batch:
    """Make a batch of Hearts that carries its rules along."""
    game = load_batch(Batch("hearts", 4, (), ("random",) * 4, 1))
    options = tuple(game.options.items())
    return carry_text(Batch("hearts", 4, options, ("random",) * 4, 1))


def test_a_batch_carries_its_rules() -> None:
    """Where there is no such file it plays the same."""
    batch = make_batch()
    there = Batch("nowhere.yaml", 4, batch.options, batch.bots, 1, text=batch.text)
    (*_, here), (*_, elsewhere) = (
        simulate([found], 20, Crew()) for found in (batch, there)
    )
    assert here == elsewhere


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_a_worker_that_is_killed_loses_and_repeats_nothing(cluster: Any) -> None:
    """In the middle of a run; every game comes once and in order."""
    dask: Any = pytest.importorskip("distributed")
    batch = make_batch()
    seen: list[int] = []
    with (
        gather_cluster(address_of(cluster), 1) as crew,
        dask.Client(cluster) as client,
    ):
        assert crew.workers == 2
        pids = client.run(os.getpid)
        played = simulate(
            [batch],
            GAMES,
            crew,
            take=lambda more: seen.extend(r.index for r in more[0]),
        )
        first = next(played)
        assert first.games < GAMES / 4
        os.kill(next(iter(pids.values())), signal.SIGKILL)
        *_, outcome = played
    assert seen == list(range(GAMES))
    *_, alone = simulate([batch], GAMES, gather_processes(1))
    assert outcome == alone


def test_nobody_at_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """It says so, rather than wait for ever."""
    pytest.importorskip("distributed", reason="Dask is not installed")
    monkeypatch.setattr("cardrun.interpreter.simulation.cluster._SECONDS_TO_CONNECT", 1)
    with (
        pytest.raises(ClusterTrouble, match="no Dask scheduler answers"),
        gather_cluster("dask://127.0.0.1:1", 1),
    ):
        pass
