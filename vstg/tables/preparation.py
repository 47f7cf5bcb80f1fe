"""The preparation of a table, stored with a model so that it can predict raw rows."""

import json
from dataclasses import dataclass

from vstg.bounded import clean_tree
from vstg.tables.limits import TableError
from vstg.tables.prepare import Prepared
from vstg.tables.roles import Recipe
from vstg.tables.transform import Transform

FORMAT = "vstg preparation"
MAX_CHARACTERS = 2**24


@dataclass(frozen=True)
class Preparation:
    """The recipe of a table, what was learnt from its training rows, and the labels.

    A model file holds coefficients of scaled and encoded variables. With this beside
    it, rows as they are in the user's table can be predicted anywhere.
    """

    recipe: Recipe
    transform: Transform
    labels: tuple[str, str] | None = None

    @classmethod
    def of(cls, prepared: Prepared) -> "Preparation":
        """Take the preparation from prepared data."""
        return cls(prepared.recipe, prepared.transform, prepared.labels)

    def to_json(self) -> str:
        """Return a text that :meth:`from_json` reads back."""
        content = {
            "format": FORMAT,
            "recipe": json.loads(self.recipe.to_json()),
            "transform": json.loads(self.transform.to_json()),
            "labels": self.labels,
        }
        return json.dumps(content, indent=1)

    @classmethod
    def from_json(cls, text: str | bytes) -> "Preparation":
        """Read a preparation; TableError if it is not one."""
        try:
            if len(text) > MAX_CHARACTERS:
                raise ValueError
            content = clean_tree(json.loads(text))
            if content["format"] != FORMAT:
                raise ValueError
            parts = json.dumps(content["recipe"]), json.dumps(content["transform"])
            labels = content["labels"]
            if labels is not None:
                first, second = labels
                labels = (str(first), str(second))
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            msg = "this is not a preparation: give the JSON file saved with the model"
            raise TableError(msg) from error
        return cls(Recipe.from_json(parts[0]), Transform.from_json(parts[1]), labels)
