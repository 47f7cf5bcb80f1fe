"""Print the path of a Chromium that runs, installing one when there is none.

The browser tests read the path from the environment variable CHROMIUM. Only the path
goes to standard output; what the installers say goes to standard error. ``--early``
does what can be done before Playwright is installed, and says nothing.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

# The headless shell first: the same engine without a window, with half the work.
COMMANDS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
MAC_APPLICATIONS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
NONE_FOUND = (
    "The browser tests need Chromium and none could be found or installed. Install "
    "Chromium or Google Chrome, or name one: make test CHROMIUM=/path/to/chromium"
)


def runs(path: str) -> bool:
    """Whether the browser starts; a snap's stub is found but does not run."""
    try:
        done = subprocess.run(
            [path, "--version"], capture_output=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def on_the_machine() -> str | None:
    """Return the first browser of the machine that runs."""
    found = (shutil.which(command) for command in COMMANDS)
    candidates = [path for path in (*found, *MAC_APPLICATIONS) if path]
    return next(filter(runs, candidates), None)


def of_playwright() -> str | None:
    """Return the browser that Playwright keeps for itself, if it is there and runs."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:  # not yet installed
        return None
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() and runs(path) else None


def install(*command: str) -> None:
    """Run an installer; whether it worked shows when the browser is looked for."""
    print("Installing Chromium:", *command, file=sys.stderr, flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(command, stdout=sys.stderr, env=environment, check=False)


def from_apt() -> str | None:
    """Install the distribution's Chromium, where that is allowed."""
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        return None
    install("apt-get", "update", "-qq")
    for package in COMMANDS[:2]:
        # Recommended are daemons and printers; a font is all that a page needs.
        packages = ("--no-install-recommends", package, "fonts-liberation")
        install("apt-get", "install", "-y", "-qq", *packages)
        path = on_the_machine()
        if path is not None:
            return path
    return None


def from_playwright() -> str | None:
    """Download Playwright's own Chromium into the user's cache."""
    install(sys.executable, "-m", "playwright", "install", "chromium")
    return of_playwright()


# The cheapest first.
EARLY_WAYS = (on_the_machine, of_playwright, from_apt)
WAYS = (*EARLY_WAYS, from_playwright)


def main() -> int:
    """Print a path, or a sentence that says what to do."""
    named = os.environ.get("CHROMIUM")
    if sys.argv[1:] == ["--early"]:
        if not named:
            next(filter(None, (way() for way in EARLY_WAYS)), None)
        return 0
    if named:
        if not runs(named):
            print(f"CHROMIUM={named} does not run.", file=sys.stderr)
            return 1
        print(named)
        return 0
    path = next(filter(None, (way() for way in WAYS)), None)
    if path is None:
        print(NONE_FOUND, file=sys.stderr)
        return 1
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
