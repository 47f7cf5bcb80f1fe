"""Parts of a result that are kept whole: arrays or text under a name."""

from vstg.jobs.store import Store


class Counter:
    """Counts finished parts of a run into the store."""

    def __init__(self, store: Store, number: int, total: int) -> None:
        self.store, self.number, self.done = store, number, 0
        store.change(number, total=total)

    def reach(self, done: int, *, fitted: bool = True) -> None:
        """So many are finished by now, those since the last call just made or not."""
        made = done - self.done if fitted else 0
        with self.store.transaction() as connection:
            connection.execute(
                "UPDATE runs SET done = ?, fitted = fitted + ? WHERE id = ?",
                (done, made, self.number),
            )
        self.done = done


def save_piece(
    store: Store, number: int, name: str, content: bytes, counter: Counter | None = None
) -> None:
    """Keep a part of a run's result, and count it in the same transaction."""
    with store.transaction() as connection:
        connection.execute(
            "INSERT OR REPLACE INTO pieces (run, name, content) VALUES (?, ?, ?)",
            (number, name, content),
        )
        if counter is not None:
            counter.done += 1
            connection.execute(
                "UPDATE runs SET done = ?, fitted = fitted + 1 WHERE id = ?",
                (counter.done, number),
            )


def piece_names(store: Store, number: int) -> set[str]:
    """Names of the parts that a run has."""
    found = store.query("SELECT name FROM pieces WHERE run = ?", number)
    return {row["name"] for row in found}


def read_pieces(store: Store, number: int) -> dict[str, bytes]:
    """The parts of a run's result by name, in the order in which they came."""
    found = store.query(
        "SELECT name, content FROM pieces WHERE run = ? ORDER BY id", number
    )
    return {row["name"]: row["content"] for row in found}
