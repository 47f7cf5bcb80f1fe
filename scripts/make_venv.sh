#!/bin/sh
# Make the virtual environment named by $1 with the first suitable Python.
# PYTHON3=/path/to/python chooses one.
set -eu
venv=$1
new_enough='import sys; sys.exit(sys.version_info < (3, 11))'

fail() {
    printf '%s\n' "$@" >&2
    exit 1
}

if [ -e "$venv/bin/python" ]; then
    "$venv/bin/python" -c "$new_enough" 2>/dev/null ||
        fail "The environment in $venv does not run, or its Python is older than 3.11." \
             "Delete it (rm -r $venv) and try again."
    # An environment whose making was interrupted has no pip.
    "$venv/bin/python" -m pip --version >/dev/null 2>&1 ||
        "$venv/bin/python" -m ensurepip --upgrade >/dev/null
    exit 0
fi

python=
# Running it, not only finding it: version managers install names that do not run.
for candidate in ${PYTHON3:-python3.11 python3.12 python3.13 python3.14 python3 python}; do
    if "$candidate" -c "$new_enough" >/dev/null 2>&1; then
        python=$candidate
        break
    fi
done
if [ -z "$python" ]; then
    found=$("${PYTHON3:-python3}" --version 2>&1) || found="no Python"
    fail "vstg needs Python 3.11 or newer; ${PYTHON3:-this machine} has: $found." \
         "Install a newer one, or name it: make run PYTHON3=/path/to/python3.11"
fi

"$python" -c 'import ensurepip, venv' >/dev/null 2>&1 ||
    fail "$("$python" --version) cannot make virtual environments: its venv module is missing." \
         "On Debian or Ubuntu: apt-get install python3-venv"

printf 'Making %s with %s …\n' "$venv" "$("$python" --version)"
"$python" -m venv "$venv"
