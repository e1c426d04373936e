// The word lists of the language against the grammar, and whole models.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { illegal, scopeOf, tokenize } from "./tokenize.mjs";

// The lexer's own list: `tests/tree_sitter/words.rs` writes it.
const words = JSON.parse(readFileSync(new URL("../../words.json", import.meta.url), "utf8"));
const { keywords: KEYWORDS, faults: MARKERS, ltl: LTL, ctl: CTL } = words;

const IS_WORD_OF_THE_LANGUAGE = /^(keyword|storage|support|constant\.language)\./;

test("every keyword is highlighted as one, at the top level and after other words", () => {
  for (const word of KEYWORDS) {
    assert.match(scopeOf(word, word), IS_WORD_OF_THE_LANGUAGE, word);
    assert.match(scopeOf(`; ${word} {`, word), IS_WORD_OF_THE_LANGUAGE, word);
  }
});

test("the keywords of statements are highlighted in a process", () => {
  const elsewhere = new Set("data module proc init ltl ctl invariant reachable assume import".split(" "));
  for (const word of KEYWORDS.filter((word) => !elsewhere.has(word))) {
    assert.match(scopeOf(`proc P(c channel { bool }) {\n    ${word} `, word), IS_WORD_OF_THE_LANGUAGE, word);
  }
});

test("every word that is a name elsewhere is highlighted where it is none", () => {
  for (const [word, marked] of Object.entries(words.contextual)) {
    const before = marked.indexOf("<");
    const text = marked.replace("<", "").replace(">", "");
    let at = 0;
    const token = tokenize(text).find((token) => {
      const here = at <= before && before < at + token.text.length;
      at += token.text.length;
      return here;
    });
    assert.match(token.scopes.at(-1), IS_WORD_OF_THE_LANGUAGE, `${word} in \`${text}\``);
    assert.match(token.text, new RegExp(`\\b${word}\\b`), text);
    assert.doesNotMatch(scopeOf(`proc P() {\n    x = ${word}\n}`, word), IS_WORD_OF_THE_LANGUAGE, `${word} as a name`);
  }
});

test("every operator is highlighted as one", () => {
  // Brackets and what separates have no colours of their own.
  for (const sign of words.signs.filter((sign) => !"()[]{},;:.@#".includes(sign))) {
    const block = /->/.test(sign) ? "invariant { p " : "proc P() {\n    x ";
    const token = tokenize(`${block}${sign} b }`).find(({ text }) => text.trim() === sign);
    assert.match(token?.scopes.at(-1) ?? "none", /^keyword\.operator\./, sign);
  }
});

test("a keyword inside a longer name is not highlighted", () => {
  for (const word of KEYWORDS) {
    for (const name of [`${word}x`, `${word}_`, `_${word}`, `${word}1`]) {
      assert.equal(scopeOf(`proc P() {\n    ${name} = 1\n}`, name), "variable.other.sandal", name);
    }
  }
});

test("the types without a keyword are highlighted", () => {
  for (const type of ["bool", "int", "bit"]) {
    assert.equal(scopeOf(`proc P() { var x ${type} }`, type), "storage.type.builtin.sandal");
  }
});

test("every marker is known, and a misspelt one is still a marker", () => {
  for (const marker of MARKERS) {
    assert.equal(scopeOf(`init { p: P() @${marker} }`, marker), "storage.modifier.marker.fault.sandal");
    assert.equal(scopeOf(`init { p: P() @${marker}s(max = 1) }`, `${marker}s`), "storage.modifier.marker.unknown.sandal");
  }
});

test("a temporal letter is an operator in its own blocks only", () => {
  const blocks = { ltl: LTL, assume: LTL, ctl: CTL, invariant: [], reachable: [], data: [], init: [], "proc P()": [] };
  for (const letter of new Set([...LTL, ...CTL])) {
    for (const [block, letters] of Object.entries(blocks)) {
      const scope = scopeOf(`${block} { ${letter} }`, letter);
      const isOperator = scope.startsWith("keyword.operator.wordlike.temporal.");
      assert.equal(isOperator, letters.includes(letter), `${letter} in ${block}: ${scope}`);
      for (const use of [`p.${letter}`, `p@${letter}`, `${letter}.x`, `${letter}@l`, `p. ${letter}`, `${letter} .x`]) {
        assert.doesNotMatch(scopeOf(`${block} { ${use} }`, letter), /temporal/, `${use} in ${block}`);
      }
    }
  }
});

test("every definition ends where its brace does", () => {
  const definitions = [
    "data D { A, B }",
    "const a [2]bool = [true, false]",
    "proc P(c channel [] { D, 0..3 }, q process) { choice { skip }, { select { case timeout { skip } } } }",
    "module M() { const a = 1; proc P() { for { skip } } init { p: P() } }",
    "init { for i in range 0 to 2 { c[i]: channel [1] { D } @drop(max = (1)) } }",
    "limit 2 { p @shutdown, m.q @restart }",
    "ltl l { forall i in range 0 to 2 { G w[i].ok } }",
    "ctl { AG (EF p.x) }",
    "invariant { exists i in range 0 to 2 { w[i]@l } }",
    "reachable r { p.x#1 == 1 } // }",
  ];
  for (const definition of definitions) {
    const last = tokenize(`${definition}\nF`).at(-1);
    assert.deepEqual(last.scopes, ["source.sandal", "variable.other.sandal"], definition);
  }
});

test("the examples and the standard library contain nothing illegal", () => {
  for (const folder of ["../../../examples/", "../../../stdlib/"].map((path) => new URL(path, import.meta.url))) {
    if (!existsSync(folder)) continue;
    for (const file of readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".sdl"))) {
      assert.deepEqual(illegal(readFileSync(new URL(file, folder), "utf8")), [], file);
    }
  }
});
