#!/usr/bin/env bash
# Builds the sdist, builds the wheel from the sdist, and tests the wheel in clean environments outside the checkout.
#
#   tests/package/try.sh [python ...]
#
# The arguments are the interpreters to test the wheel with. By default, these are all installed versions from Python 3.10 on.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
pythons=("$@")
if [ $# = 0 ]; then
  for minor in $(seq 10 20); do
    if "python3.$minor" -c '' 2> /dev/null; then pythons+=("python3.$minor"); fi
  done
fi
if [ ${#pythons[@]} = 0 ]; then echo "Python 3.10 or later is not installed" >&2; exit 1; fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python="$root/.venv/bin/python"

echo "sdist"
"$root/.venv/bin/maturin" sdist --manifest-path "$root/Cargo.toml" --out "$folder/dist" 2> "$folder/log" ||
  { cat "$folder/log"; exit 1; }
cp "$root/tests/package/newcomer.py" "$folder/"
cd "$folder"
tar -tzf dist/*.tar.gz > files
grep -q '/LICENSE-MIT$' files

echo "wheel, built from the sdist"
"$python" -m pip wheel --quiet --no-deps --wheel-dir wheels dist/*.tar.gz
ls -l wheels | awk 'NR > 1 { print $5, $9 }'
case $(ls wheels) in *-cp310-abi3-*) ;; *) echo "no abi3 wheel"; exit 1 ;; esac

for each in "${pythons[@]}"; do
  rm -rf env && "$each" -m venv env
  env/bin/python -m pip install --quiet wheels/*.whl
  env/bin/python newcomer.py
done
