"""Workers on other machines, or in processes here, by Dask.

Dask's client is an executor like any other; it starts the task of a worker that
dies again elsewhere. Results are merged in the order of the games and each task
once, so nothing is lost or counted twice.
"""

from __future__ import annotations

import importlib
import importlib.util
import logging
from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from typing import Any, Final

from ..version import __version__
from .crew import Crew, hold_interrupts
from .simulate import Batch, load_batch

LOCAL: Final = "local"
_SCHEME: Final = "dask://"
_SECONDS_TO_CONNECT: Final = 10


class ClusterTrouble(Exception):
    """There is no cluster to play on; says why."""


@contextmanager
def gather_cluster(address: str, jobs: int) -> Iterator[Crew]:
    """Connect to the workers of an address, or start some here for ``local``.

    Raises:
        ClusterTrouble: Dask is missing, nobody answers, or versions differ.
    """
    if importlib.util.find_spec("distributed") is None:
        raise ClusterTrouble("Dask is not installed (pip install 'cardrun[cluster]')")
    dask: Any = importlib.import_module("distributed")
    # What it says of a scheduler that has gone is said here, in a line.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with ExitStack() as stack:
        if address == LOCAL:
            with hold_interrupts():
                cluster = dask.LocalCluster(
                    n_workers=jobs,
                    threads_per_worker=1,
                    dashboard_address=None,
                    silence_logs=logging.CRITICAL,
                )
            stack.enter_context(closing(cluster))
            client = dask.Client(cluster)
        else:
            client = _connect(dask, address)
        stack.enter_context(closing(client))
        workers = _count_workers(client)
        # A share that kills whoever plays it, and a scheduler that has gone.
        fatal = (dask.scheduler.KilledWorker, CancelledError)

        @contextmanager
        def start() -> Iterator[Executor]:
            # Not pure: a task is played again even if its like was before.
            yield client.get_executor(pure=False)

        yield Crew(workers, start=start, fatal=fatal)


def carry_text(batch: Batch) -> Batch:
    """Return a batch that holds its whole ruleset, for where the files are not."""
    game = load_batch(batch)
    return replace(batch, text=game.ruleset, house_rules=())


def _connect(dask: Any, address: str) -> Any:
    place = address.removeprefix(_SCHEME)
    try:
        return dask.Client(f"tcp://{place}", timeout=_SECONDS_TO_CONNECT)
    except (OSError, ValueError, TimeoutError) as error:
        raise ClusterTrouble(f"no Dask scheduler answers at '{address}'") from error


def _count_workers(client: Any) -> int:
    """Return how many threads work, all with this version.

    Raises:
        ClusterTrouble: There are none, or one cannot play or has another version.
    """
    threads: dict[str, int] = client.nthreads()
    if not threads:
        raise ClusterTrouble("the Dask scheduler has no workers")
    try:
        versions: dict[str, str] = client.run(tell_version)
    except ImportError as error:
        raise ClusterTrouble("cardrun is not installed on all workers") from error
    for worker, version in versions.items():
        if version != __version__:
            raise ClusterTrouble(
                f"the worker {worker} has cardrun {version}, here it is {__version__}"
            )
    return sum(threads.values())


def tell_version() -> str:
    """Return the version; workers are asked for theirs."""
    return __version__
