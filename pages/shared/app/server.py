"""Start the dashboard: import first, then answer. ``vstg app`` runs this file.

Streamlit would import the pages when the first visitor comes, who would then wait for
plotly, scipy, scikit-learn and the compiled kernels.
"""

import gc
import sys
from pathlib import Path

from streamlit import net_util
from streamlit.web import cli

ROOT = Path(__file__).parents[3]


def prepare() -> None:
    """Load what the landing page needs into this process, and start the file reader."""
    from vstg.bounded import warm_up

    warm_up()  # it loads its own libraries beside
    import pages.explore.page
    import pages.learn.tour
    import pages.shared.app.frame  # noqa: F401
    from vstg.solvers import compiling

    compiling.compile_all()
    # What is loaded stays: collections need not look at it, while everybody waits.
    gc.collect()
    gc.freeze()


def disable_external_ip_lookup() -> None:
    """Keep Streamlit from asking a server on the internet for this one's address.

    It would do so at the start with ``--host 0.0.0.0``, and whenever another site
    knocks at the WebSocket: one or two seconds in which nobody is served.
    """
    net_util.get_external_ip = lambda: None


def main(arguments: list[str]) -> None:
    """Hand over to Streamlit with its own arguments; does not return."""
    sys.path.insert(0, str(ROOT))  # Streamlit does the same for app.py
    prepare()
    disable_external_ip_lookup()
    sys.argv = ["streamlit", "run", str(ROOT / "app.py"), *arguments]
    cli.main(prog_name="streamlit")


if __name__ == "__main__":
    main(sys.argv[1:])
