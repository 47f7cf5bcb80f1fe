"""``vstg generate``: write the paper's synthetic problems as tables."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from vstg.commands.shared.command import Command, add_force, add_format
from vstg.commands.shared.tables import check_output, table_bytes, write_files

if TYPE_CHECKING:
    from vstg.datasets import SyntheticDataset

EXAMPLES = """\
  vstg generate 1 -o syn1
  vstg generate 4 -o big --n-tasks 200 --n-features 500 --n-latent 20 --seed 7
  vstg generate 2 -o syn2 --format parquet"""

SIZES = {
    "n_train": ("training observations per task", 50),
    "n_test": ("test observations per task", 100),
    "n_features": ("number of variables", 25),
    "n_tasks": ("number of tasks", 20),
    "n_latent": ("number of bases", 5),
}


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options: which problem, its sizes, the folder and the format."""
    add = parser.add_argument
    add("number", type=int, choices=(1, 2, 3, 4), help="1 to 4, for Syn1 to Syn4")
    add(
        "-o",
        "--output",
        metavar="FOLDER",
        required=True,
        help="folder for the tables; created if it does not exist",
    )
    for name, (what, default) in SIZES.items():
        flag = "--" + name.replace("_", "-")
        help_text = f"{what} (default {default}, as in the paper)"
        add(flag, type=int, default=default, metavar="N", help=help_text)
    add(
        "--noise",
        type=float,
        default=1.0,
        help="standard deviation of the noise (default 1)",
    )
    add("--seed", type=int, default=0, help="seed of the random draws (default 0)")
    add_format(parser)
    add_force(parser)


def run(args: Namespace) -> None:
    """Write a synthetic problem of the paper with its truth.

    Writes the tables train and test (columns task, target, x0, x1, ...) and the truth
    as tables U (variables by bases), V (bases by tasks) and W = U V (variables by
    tasks). Other sizes keep the proportions of the paper.
    """
    from vstg.datasets import make_syn

    folder = Path(args.output)
    sizes = {name: getattr(args, name) for name in SIZES}
    syn = make_syn(args.number, noise=args.noise, random_state=args.seed, **sizes)
    contents = {
        folder / f"{name}.{args.format}": table_bytes(frame, f"{name}.{args.format}")
        for name, frame in frames(syn).items()
    }
    existed = folder.is_dir()
    folder.mkdir(parents=True, exist_ok=True)
    if existed:
        for path in contents:
            check_output(path, force=args.force)
    write_files(contents)
    names = ", ".join(path.name for path in contents)
    print(
        f"Syn{args.number}: {syn.train.n_tasks} tasks, {syn.train.n_features} "
        f"variables ({int(syn.relevant.sum())} relevant), {syn.train.n_rows} training "
        f"and {syn.test.n_rows} test rows."
    )
    print(f"Written to {folder}: {names}.")


def frames(syn: "SyntheticDataset") -> dict[str, pd.DataFrame]:
    """Return the tables of a synthetic problem by name."""
    variables = pd.Index(syn.train.feature_names, name="variable")
    bases = [f"basis{r}" for r in range(syn.U.shape[1])]
    tasks = list(syn.train.task_names)
    U = pd.DataFrame(syn.U, variables, bases)
    V = pd.DataFrame(syn.V, pd.Index(bases, name="basis"), tasks)
    W = pd.DataFrame(syn.W, variables, tasks)
    return {
        "train": syn.train.to_frame(),
        "test": syn.test.to_frame(),
        "U": U.reset_index(),
        "V": V.reset_index(),
        "W": W.reset_index(),
    }


COMMAND = Command(
    "make one of the paper's synthetic problems", run, add_arguments, EXAMPLES
)
