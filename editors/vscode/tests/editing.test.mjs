// Snippets and the language configuration.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { illegal, tokenize } from "./tokenize.mjs";

const json = (path) => JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), "utf8"));
const snippets = Object.entries(json("snippets/sandal.json"));
const configuration = json("language-configuration.json");

/** A snippet's text as it stands in the editor before anything is typed. */
function expand(body) {
  const defaults = {};
  let text = body.join("\n").replace(/\$\{(\d+)(?::((?:\\.|[^\\}])*)|\|([^,|]*)[^|]*\|)\}/g, (_, index, placeholder, choice) => {
    defaults[index] = placeholder ?? choice;
    return defaults[index];
  });
  text = text.replace(/\$(\d+)/g, (_, index) => defaults[index] ?? "");
  return text.replaceAll("\t", "    ");
}

/** Whether every bracket outside comments is closed by its match. */
function balanced(text) {
  const open = [];
  for (const { text: token, scopes } of tokenize(text)) {
    if (scopes.some((scope) => scope.startsWith("comment."))) continue;
    for (const character of token) {
      if ("{[(".includes(character)) open.push(character);
      if ("}])".includes(character) && open.pop() !== "{[("["}])".indexOf(character)]) return false;
    }
  }
  return open.length === 0;
}

test("snippets have a unique prefix, a description and a body of lines", () => {
  const prefixes = snippets.map(([, snippet]) => snippet.prefix);
  assert.deepEqual(prefixes, [...new Set(prefixes)]);
  for (const [name, snippet] of snippets) {
    assert.match(snippet.prefix, /^[a-z]+$/, name);
    assert.ok(snippet.description, name);
    assert.ok(Array.isArray(snippet.body), name);
  }
});

test("snippets expand to text that is complete and legal", () => {
  for (const [name, snippet] of snippets) {
    const text = expand(snippet.body);
    assert.doesNotMatch(text, /\$/, name);
    assert.deepEqual(illegal(text), [], name);
    assert.ok(balanced(text), name);
  }
});

test("every construct a model is made of has a snippet", () => {
  const wanted = `proc module init channel choice select forrange forin ltl ctl invariant reachable assume limit iftimeout`;
  const prefixes = new Set(snippets.map(([, snippet]) => snippet.prefix));
  for (const prefix of wanted.split(" ")) assert.ok(prefixes.has(prefix), prefix);
});

test("a word is a name or a number", () => {
  const words = (line) => line.match(new RegExp(configuration.wordPattern, "g"));
  assert.deepEqual(words("w1: Worker(req, 0..12) @shutdown"), ["w1", "Worker", "req", "0", "12", "shutdown"]);
  assert.deepEqual(words("G p.x#1 -> p@end_ok"), ["G", "p", "x", "1", "p", "end_ok"]);
});

/** Indents as the editor does when every line is typed in turn. */
function indent(text) {
  const increase = new RegExp(configuration.indentationRules.increaseIndentPattern);
  const decrease = new RegExp(configuration.indentationRules.decreaseIndentPattern);
  let depth = 0;
  return text.split("\n").map((line) => {
    const bare = line.trim();
    if (decrease.test(bare)) depth -= 1;
    const indented = bare === "" ? "" : "    ".repeat(depth) + bare;
    if (increase.test(bare)) depth += 1;
    return indented;
  }).join("\n");
}

test("the indentation rules indent models as they are written", () => {
  const folder = new URL("snapshot/", import.meta.url);
  const models = readdirSync(folder).filter((name) => name.endsWith(".sdl"));
  assert.ok(models.length > 0);
  const texts = models.map((name) => readFileSync(new URL(name, folder), "utf8"));
  texts.push(...snippets.map(([, snippet]) => expand(snippet.body)));
  texts.push("choice { // either }\n    skip\n}, { /* or */\n    skip\n}\n// not here {\nskip\n");
  for (const text of texts) assert.equal(indent(text), text);
});

test("the rules for the enter key compile and know a comment", () => {
  const rules = configuration.onEnterRules.map((rule) => new RegExp(rule.beforeText));
  for (const rule of configuration.onEnterRules) {
    for (const key of ["beforeText", "afterText", "previousLineText"]) if (rule[key]) new RegExp(rule[key]);
  }
  const applies = (line) => rules.some((rule) => rule.test(line));
  for (const line of ["// why", "    /* a", "/**", "     * b", "     */"]) assert.ok(applies(line), line);
  for (const line of ["x = a * b", "/* closed */ x = 1", "send(c, x) // sent", "*"]) assert.ok(!applies(line), line);
});
