// Runs Python in a worker, so that the page stays responsive while a solver runs.

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
    // An error here means that a file is missing, memory is full, or the code has a bug. The page cannot continue.
    postMessage({ kind: "failed", id: data.id, text: String(error.message || error).trim().split("\n").pop() });
  }
};
