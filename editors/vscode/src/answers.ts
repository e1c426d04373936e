// What the server answers, in words. Knows nothing of the editor.

/** What is known about a property. */
export interface Answer {
  name: string;
  verdict: "holds" | "violated" | "unknown";
  detail: string;
}

/** A place in a text. */
export interface Place {
  uri: string;
  range: { start: { line: number; character: number }; end: { line: number; character: number } };
}

/** A step of a run. */
export interface Step {
  process: string | null;
  text: string;
  fault: string | null;
  changes: { name: string; from: string; to: string }[];
  location: Place | null;
}

/** A run. */
export interface Run {
  property: string;
  verdict: string;
  chart: string | null;
  svg: string | null;
  steps: Step[];
  loopStart: number | null;
}

/** The answer to `sandal.check` and `sandal.showRun`. */
export interface Checked {
  uri: string;
  summary: string;
  answers: Answer[];
  run?: Run;
}

/** The answers in one line; of a single one what is known about it. */
export function answerOf(checked: Checked): string {
  const [first, ...others] = checked.answers;
  if (!first || others.length > 0) return checked.summary;
  return `${first.name} ${first.verdict}${first.detail ? `: ${first.detail}` : ""}`;
}

/** The settings that the server reads. None of them names a program or a file. */
export function serverSettings(get: (key: string) => unknown): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const key of ["timeout", "maxStates", "maxMemory", "threads", "inlayHints", "codeLens"]) {
    const value = get(key);
    if (value !== undefined && value !== null && value !== 0) found[key] = value;
  }
  return found;
}

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** The page of a run: the chart, and its steps to go through. `nonce` is the only script that may run. */
export function page(run: Run, nonce: string): string {
  const steps = run.steps.map((step, index) => {
    const changes = step.changes.map((change) => `${change.name}: ${change.from} → ${change.to}`).join(", ");
    const loop = index === run.loopStart ? '<li class="loop">from here on again and again</li>' : "";
    return (
      `${loop}<li tabindex="-1" data-step="${index}" class="${step.fault ? "fault" : ""}">` +
      `<span class="what">${escape(step.text)}</span>${changes ? `<span class="changes">${escape(changes)}</span>` : ""}</li>`
    );
  });
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-${nonce}'">
<title>${escape(run.property)}</title>
<style>
  body { display: grid; grid-template-columns: minmax(16rem, 1fr) 2fr; gap: 1rem; height: 100vh; margin: 0; padding: 0.5rem; box-sizing: border-box; }
  h1 { font-size: 1.1rem; margin: 0 0 0.5rem; }
  section { overflow: auto; }
  ol { padding-left: 2.5rem; margin: 0; }
  li { cursor: pointer; padding: 0.15rem 0.3rem; }
  li.loop { list-style: none; counter-increment: list-item 0; cursor: default; color: var(--vscode-descriptionForeground); }
  li.fault .what { color: var(--vscode-errorForeground); }
  li[aria-current] { background: var(--vscode-list-activeSelectionBackground); color: var(--vscode-list-activeSelectionForeground); outline: none; }
  .changes { display: block; font-size: 0.85em; opacity: 0.8; }
  figure { margin: 0; background: #fff; overflow: auto; }
  figure svg { max-width: 100%; height: auto; }
</style>
</head>
<body>
<section aria-label="Steps"><h1>${escape(run.property)} ${escape(run.verdict)}</h1>
<p>Arrow keys go through the steps; the editor follows.</p>
<ol>${steps.join("\n")}</ol></section>
<section aria-label="Chart"><figure>${run.svg ?? ""}</figure></section>
<script nonce="${nonce}">
  const vscode = acquireVsCodeApi();
  const items = [...document.querySelectorAll("li[data-step]")];
  let at = -1;
  function go(index) {
    if (index < 0 || index >= items.length) return;
    items[at]?.removeAttribute("aria-current");
    at = index;
    items[at].setAttribute("aria-current", "step");
    items[at].focus();
    items[at].scrollIntoView({ block: "nearest" });
    vscode.postMessage({ step: at });
  }
  items.forEach((item, index) => item.addEventListener("click", () => go(index)));
  document.addEventListener("keydown", (event) => {
    const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    go(at + by);
  });
</script>
</body>
</html>`;
}
