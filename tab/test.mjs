// Runs one half of the tests in Pyodide: node test.mjs HALF [arguments for pytest], where HALF is 0 or 1. The script
// mounts the repository from disk, so that the tests read the same golden files as on other platforms.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const folder = process.env.GRIDWRIGHT_PYODIDE;
const packages = process.env.GRIDWRIGHT_PACKAGES.split(" ");
const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")));

const python = await loadPyodide({
  indexURL: `${folder}/`,
  packageCacheDir: folder,
  env: { HOME: "/home/pyodide", MPLBACKEND: "agg", PYTHONDONTWRITEBYTECODE: "1" },
});
await python.loadPackage(["gridwright", ...packages], { messageCallback() {} });
python.FS.mkdirTree("/repository");
python.FS.mount(python.FS.filesystems.NODEFS, { root: process.cwd() }, "/repository");
python.FS.chdir("/repository");
python.runPython(readFileSync(new URL("suite.py", import.meta.url), "utf8"));
const status = python.globals.get("run")(...process.argv.slice(2));
process.exit(status);
