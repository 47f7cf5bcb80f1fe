"""Kill a server at random moments during searches and uploads, and count what is lost.

``python scripts/fault_loop.py --rounds 100 --seed 0``. In every round a server that
works on a search, while another process keeps putting data and runs into the same
store, is ended by SIGKILL; the next round starts one that goes on. At the end nothing
that was reported as done may be missing or have been done twice, and the table must be
that of a search nobody disturbed.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from vstg.datasets import make_syn  # noqa: E402
from vstg.jobs import SearchRequest, Store, stored_result  # noqa: E402
from vstg.jobs.store.run import process_lives  # noqa: E402
from vstg.model_selection import search_grid  # noqa: E402

PATIENCE = 600
# Strong enough to be well-posed on few rows: no last digit grows between processes.
STRENGTHS = [2.0 ** (e / 4) for e in range(-12, 14)]
GRID = {"n_latent": [3, 5], "k": [1], "gamma1": STRENGTHS, "gamma2": [0.25, 2.0]}

SERVER = """
import sys
from vstg.jobs import Manager, Store
store = Store(sys.argv[1])
store.mark_lost("its server ended")
manager = Manager(store)
for run in store.runs():
    if run.status == "interrupted":
        manager.resume(run.id)
print("serving", flush=True)
sys.stdin.read()
"""
# Tells the number of every upload only after the store has it.
UPLOADER = """
import sys
from vstg.datasets import make_syn
from vstg.jobs import FitRequest, Store
setting = {"n_latent": 2, "k": 1, "gamma1": 1.0, "gamma2": 1.0}
with Store(sys.argv[1]) as store:
    for number in range(10**6):
        seed = int(sys.argv[2]) * 1000 + number
        data = make_syn(1, n_train=4, n_test=1, random_state=seed).train
        run = store.add_run(FitRequest(setting=setting), data, run_status="done")
        print(run, data.fingerprint, flush=True)
"""


@dataclass
class Tally:
    """What the rounds saw."""

    kills: int = 0
    mid_run: int = 0
    lost_cells: int = 0
    changed_cells: int = 0
    uploads: int = 0
    lost_uploads: int = 0
    damaged: int = 0
    restart_seconds: list[float] = field(default_factory=list)


def syn_train():
    """The data of the search."""
    return make_syn(
        1, random_state=0, n_train=12, n_features=10, n_tasks=8, n_latent=2
    ).train


def start(code: str, *words: str) -> subprocess.Popen:
    """A Python process with a pipe both ways."""
    environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.Popen(
        [sys.executable, "-c", code, *words], cwd=ROOT, env=environment, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip


def kill(process: subprocess.Popen) -> str:
    """Kill the process, as a power failure would; returns its output so far."""
    process.send_signal(signal.SIGKILL)
    said, _ = process.communicate()
    return said or ""


def cells_of(store: Store) -> dict[tuple[int, int], str]:
    """Every evaluated cell as it was written."""
    found = store.query("SELECT chain, position, judged FROM cells")
    return {(row["chain"], row["position"]): row["judged"] for row in found}


def workers_gone(store: Store, number: int) -> None:
    """Wait until the worker has ended after its server."""
    name = store.run(number).worker
    if name is None:
        return
    process, deadline = int(name.rpartition(":")[2]), time.monotonic() + PATIENCE
    while process_lives(process) and time.monotonic() < deadline:
        time.sleep(0.01)


def one_round(
    path: Path, number: int, turn: int, draw: random.Random, tally: Tally
) -> None:
    """Serve, let some work be done, kill, and check that nothing is lost."""
    with Store(path) as store:
        before, began = cells_of(store), time.monotonic()
        server = start(SERVER, str(path))
        uploader = start(UPLOADER, str(path), str(turn))
        assert server.stdout is not None
        assert server.stdout.readline(), "the server did not start"
        tally.restart_seconds.append(time.monotonic() - began)
        wait_for_work(store, number, len(before), draw)
        seen = store.run(number)
        reported = cells_of(store)
        kill(server)
        said = kill(uploader)
        workers_gone(store, number)
        after = cells_of(store)
        tally.kills += 1
        tally.mid_run += seen.status == "running"
        tally.lost_cells += len({**before, **reported}.keys() - after.keys())
        known = before.items() | reported.items()
        tally.changed_cells += sum(after.get(place) != text for place, text in known)
        check_uploads(store, said, tally)
        check = store.query("PRAGMA integrity_check")[0][0]
        tally.damaged += check != "ok"


def wait_for_work(store: Store, number: int, had: int, draw: random.Random) -> None:
    """Wait for a few more cells, and then for a random moment."""
    wanted, deadline = had + draw.randint(0, 24), time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        run = store.run(number)
        if len(cells_of(store)) >= wanted or run.status == "done":
            break
        time.sleep(0.01)
    time.sleep(draw.uniform(0, 0.1))


def check_uploads(store: Store, said: str, tally: Tally) -> None:
    """Check that everything reported as stored is there, with its data intact."""
    for line in said.splitlines(keepends=True):
        if not line.endswith("\n"):
            continue  # cut off while it was told
        number, fingerprint = line.split()
        tally.uploads += 1
        try:
            whole = store.data(store.run(int(number)).data).fingerprint == fingerprint
        except (OSError, ValueError):
            whole = False
        tally.lost_uploads += not whole


def finish(path: Path, number: int) -> tuple[int, int, float]:
    """Let the search end; cells, cells written twice, largest difference of errors."""
    server = start(SERVER, str(path))
    deadline = time.monotonic() + PATIENCE
    with Store(path) as store:
        while store.run(number).active or store.run(number).status == "interrupted":
            if time.monotonic() > deadline:
                break
            time.sleep(0.05)
        run = store.run(number)
        assert run.status == "done", run.message
        frame = stored_result(store, run).frame
        twice = int(frame.duplicated([*GRID, "repeat", "fold"]).sum())
    kill(server)
    bare = search_grid(syn_train(), "vstg", GRID, cv=8).frame
    if len(bare) != len(frame):
        return len(frame), twice, float("inf")
    column = "rmse_mean_over_tasks"
    return len(frame), twice, float((frame[column] - bare[column]).abs().max())


def main() -> int:
    """Run the rounds and print what they found; 1 if anything was lost."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    draw, tally = random.Random(args.seed), Tally()  # nosec B311
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "runs.sqlite"
        searches = 0
        number = -1
        for turn in range(args.rounds):
            with Store(path) as store:
                if number < 0 or store.run(number).status == "done":
                    # With another seed all cells are new: there is work again.
                    request = SearchRequest(grid=GRID, folds=8, seed=searches)
                    number = store.add_run(request, syn_train())
                    searches += 1
            one_round(path, number, turn, draw, tally)
            print(
                f"round {turn + 1}: lost {tally.lost_cells} cells, "
                f"{tally.lost_uploads} uploads",
                file=sys.stderr,
                flush=True,
            )
        with Store(path) as store:
            first = store.runs(kind="search")[-1].id
        n_cells, twice, difference = finish(path, first)
    seconds = sorted(tally.restart_seconds)
    print(f"kills {tally.kills}, of them during a search {tally.mid_run}")
    print(f"searches {searches}, cells lost {tally.lost_cells}, "
          f"changed {tally.changed_cells}")  # fmt: skip
    print(f"uploads reported {tally.uploads}, lost {tally.lost_uploads}")
    print(f"stores damaged {tally.damaged}")
    print(f"restarts {len(seconds)}, median {seconds[len(seconds) // 2]:.1f} s")
    print(f"first search: {n_cells} cells, {twice} twice, largest difference of an "
          f"error from an undisturbed search {difference:.1e}")  # fmt: skip
    bad = tally.lost_cells + tally.changed_cells + tally.lost_uploads + tally.damaged
    return int(bad > 0 or twice > 0 or difference > 1e-6)


if __name__ == "__main__":
    sys.exit(main())
