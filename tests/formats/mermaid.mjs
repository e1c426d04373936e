// Reads diagrams with Mermaid's own parser; the first that is wrong is said.
import { readFileSync } from "node:fs";
import { JSDOM } from "jsdom";

const { window } = new JSDOM("");
globalThis.window = window;
globalThis.document = window.document;
const { default: mermaid } = await import("mermaid");

for (const file of process.argv.slice(2)) {
  const text = readFileSync(file, "utf8");
  const blocks = file.endsWith(".md")
    ? [...text.matchAll(/^```mermaid\n([^]*?)^```$/gm)].map((match) => match[1])
    : [text];
  for (const block of blocks) {
    const { diagramType } = await mermaid.parse(block);
    console.log(`${diagramType} ${block.split("\n").length - 1}`);
  }
}
