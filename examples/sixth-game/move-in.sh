#!/usr/bin/env bash
# Moves the sixth game into a copy of the repository and runs the laws on it: the cost of a new game, proved.
# New files, and these lines in existing files; nothing in src/core.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
(cd "$root" && git ls-files -z | grep -zv '^examples/' | xargs -0 tar cf - --ignore-failed-read 2>/dev/null) | tar xf - -C "$copy"
cd "$copy"

# The new files: the folder of rules, the bindings, the class, the drawing, the levels, the cases, the notebook.
cp -r "$here/src/lightsout" src/
cp "$here/src/py/lightsout.rs" src/py/
cp "$here/python/lightsout.py" python/gridwright/
cp "$here/draw/lightsout.py" python/gridwright/draw/
cp -r "$here/levels/lightsout" levels/
cp "$here/tests/perft/lightsout.txt" tests/perft/
cp -r "$here/tests/transcripts/lightsout" tests/transcripts/
cp -r "$here/tests/broken/lightsout" tests/broken/
cp "$here/tests/python/test_lightsout.py" tests/python/
cp "$here/notebooks/lightsout.ipynb" notebooks/
printf '//! Lights Out obeys the laws; what it has beyond them is nothing yet.\n' > tests/rust/lightsout.rs

# The lines in files that exist.
sed -i 's/^pub mod levels;/pub mod levels;\npub mod lightsout;/' src/lib.rs
sed -i 's/^mod bloxorz;/mod bloxorz;\nmod lightsout;/' src/py/mod.rs tests/rust/main.rs
sed -i '0,/    #\[pymodule_export\]/s//    #[pymodule_export]\n    use super::lightsout::{LightsOutBatch, LightsOutCore};\n    #[pymodule_export]/' src/py/mod.rs
sed -i 's/^    laws!(bloxorz,/    laws!(lightsout, gridwright::lightsout::LightsOut);\n    laws!(bloxorz,/' tests/rust/main.rs
sed -i 's/^from .lightemall import LightEmAll/&\nfrom .lightsout import LightsOut/; s/^    "bloxorz": Bloxorz,/&\n    "lightsout": LightsOut,/; s/^    "LightEmAll",/&\n    "LightsOut",/' python/gridwright/__init__.py
printf '\nclass LightsOut(_Game): ...\n@final\nclass LightsOutBatch(_Batch): ...\n' >> python/gridwright/_core.pyi

echo "files changed in src/core: $(diff -rq "$root/src/core" src/core | wc -l)"
export CARGO_TARGET_DIR="$root/target/moved-in"
cargo test --quiet --test rust lightsout
make --silent dev
.venv/bin/python -m pytest -q tests/python/test_laws.py tests/python/test_structure.py tests/python/test_lightsout.py
