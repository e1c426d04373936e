// Tokens of a text under the grammar, with the same library that VS Code uses.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import oniguruma from "vscode-oniguruma";
import textmate from "vscode-textmate";

const require = createRequire(import.meta.url);
const grammarFile = new URL("../syntaxes/sandal.tmLanguage.json", import.meta.url);

await oniguruma.loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer);

const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async () => textmate.parseRawGrammar(readFileSync(grammarFile, "utf8"), "sandal.tmLanguage.json"),
});
const grammar = await registry.loadGrammar("source.sandal");

/** `[{ line, text, scopes }]` for every token of `source`; the last scope is the most specific. */
export function tokenize(source) {
  const tokens = [];
  let state = textmate.INITIAL;
  source.split("\n").forEach((line, index) => {
    const result = grammar.tokenizeLine(line, state);
    state = result.ruleStack;
    for (const { startIndex, endIndex, scopes } of result.tokens) {
      tokens.push({ line: index + 1, text: line.slice(startIndex, endIndex), scopes });
    }
  });
  return tokens;
}

/** The most specific scope of the first token that reads `text`. */
export function scopeOf(source, text) {
  return tokenize(source).find((token) => token.text === text)?.scopes.at(-1);
}

/** What the grammar calls illegal in `source`, as `line: text`. */
export function illegal(source) {
  return tokenize(source)
    .filter((token) => token.scopes.some((scope) => scope.startsWith("invalid.")))
    .map((token) => `${token.line}: ${token.text}`);
}
