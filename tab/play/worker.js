// Runs Python in a worker, so that the page stays responsive while a solver runs.

// Only the first failure is reported, because later ones follow from it. The page cannot continue.
let failed = false;
function fail(text) {
  if (!failed) postMessage({ kind: "failed", text });
  failed = true;
}

// Pyodide may wait forever for a file that is missing, or report it without its name.
const load = self.fetch;
self.fetch = async (file, ...options) => {
  const answer = await load(file, ...options).catch(() => null);
  if (answer?.ok) return answer;
  const missing = `${new URL(file.url ?? file, location).pathname.split("/").pop()} could not be loaded`;
  fail(missing);
  throw new Error(missing);
};

importScripts("pyodide/pyodide.js");

const ready = (async () => {
  const [python, source] = await Promise.all([
    loadPyodide({ indexURL: "pyodide/", packages: ["gridwright"] }),
    fetch("host.py").then((answer) => answer.text()),
  ]);
  python.runPython(source, { filename: "host.py" });
  return python;
})();

const post = (text) => postMessage({ kind: "event", text });
let host = null;

onmessage = async ({ data }) => {
  try {
    const python = await ready;
    if (data.kind === "hello") {
      host = python.globals.get("Host")(post, data.solved);
      postMessage({ kind: "ready" });
    } else {
      postMessage({ kind: "answer", id: data.id, text: host.answer(data.text) });
    }
  } catch (error) {
    // An error here means that a file is missing, memory is full, or the code has a bug.
    fail(String(error.message || error).trim().split("\n").pop());
  }
};
