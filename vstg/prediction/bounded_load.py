"""Read model files from outside in a bounded process."""

from io import BytesIO

from vstg.bounded import Bounds, run_bounded
from vstg.prediction.archive import ModelFileError
from vstg.prediction.predictor import Predictor
from vstg.tables import Preparation

BOUNDS = Bounds(memory=2**31)


def load_bounded(
    content: bytes, name: str, preparation: bytes | None = None
) -> Predictor:
    """Read a model file from an unknown source, and an older one's preparation.

    As :meth:`Predictor.load`, but a file that would take long or much memory is ended
    and refused by a ModelFileError, and so is one that could end the process.
    """
    checked = run_bounded(
        rewritten, content, name, preparation,
        name=name, bounds=BOUNDS, error=ModelFileError,
    )  # fmt: skip
    return Predictor.load(checked)


def rewritten(content: bytes, name: str, preparation: bytes | None) -> bytes:
    """Write the model of a file as a new file, without anything else it contained."""
    stream = BytesIO(content)
    stream.name = name
    given = None if preparation is None else Preparation.from_json(preparation)
    return Predictor.load(stream, given).to_bytes()
