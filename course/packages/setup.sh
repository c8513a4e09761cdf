#!/usr/bin/env bash
# Runs once per archive. Installs the packages of requirements.txt, from the wheels of the archive or from PyPI.
set -euo pipefail
root=${AUTOGRADER:-/autograder}
apt-get update && apt-get install -y --no-install-recommends python3 python3-venv
python3 -m venv "$root/venv"
"$root/venv/bin/pip" install --find-links "$root/source/wheels" -r "$root/source/requirements.txt"
