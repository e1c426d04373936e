// The manifest: what it names exists, and what is committed is self-contained.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const root = new URL("../", import.meta.url);
const read = (path) => readFileSync(new URL(path, root), "utf8");
const manifest = JSON.parse(read("package.json"));

test("every JSON file parses", () => {
  const folders = ["", "snippets/", "syntaxes/"];
  const files = folders.flatMap((folder) =>
    readdirSync(new URL(folder || ".", root)).filter((name) => name.endsWith(".json")).map((name) => folder + name));
  assert.ok(files.length >= 5, files.join(" "));
  for (const file of files) assert.doesNotThrow(() => JSON.parse(read(file)), file);
});

test("every file that the manifest names exists", () => {
  const paths = [];
  const walk = (value) => {
    if (typeof value === "string" && value.startsWith("./")) paths.push(value);
    else if (value && typeof value === "object") Object.values(value).forEach(walk);
  };
  walk(manifest.contributes);
  assert.equal(paths.length, 5, paths.join(" "));
  for (const path of [...paths, manifest.icon, "README.md", "CHANGELOG.md", "LICENSE"]) {
    assert.ok(existsSync(new URL(path, root)), path);
  }
});

test("the language, its grammar and its snippets belong together", () => {
  const [language] = manifest.contributes.languages;
  const [grammar] = manifest.contributes.grammars;
  const [snippets] = manifest.contributes.snippets;
  assert.deepEqual([language.id, grammar.language, snippets.language], ["sandal", "sandal", "sandal"]);
  assert.deepEqual(language.extensions, [".sdl"]);
  assert.equal(JSON.parse(read(grammar.path)).scopeName, grammar.scopeName);
});

test("every rule of the grammar is used, and every rule used exists", () => {
  const grammar = JSON.parse(read(manifest.contributes.grammars[0].path));
  const used = new Set();
  const walk = (value) => {
    if (!value || typeof value !== "object") return;
    if (typeof value.include === "string") used.add(value.include.replace(/^#/, ""));
    Object.values(value).forEach(walk);
  };
  walk(grammar);
  assert.deepEqual([...used].sort(), Object.keys(grammar.repository).sort());
});

test("the extension's icon has the size that the gallery wants", () => {
  const png = readFileSync(new URL(manifest.icon, root));
  assert.equal(png.toString("latin1", 1, 4), "PNG");
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [128, 128]);
});

test("development dependencies are pinned, and the lock file names no registry", () => {
  for (const version of Object.values(manifest.devDependencies)) assert.match(version, /^\d+\.\d+\.\d+$/);
  const lock = JSON.parse(read("package-lock.json"));
  for (const [path, entry] of Object.entries(lock.packages)) assert.equal(entry.resolved, undefined, path);
});

test("the changelog has an entry for this version", () => {
  assert.match(read("CHANGELOG.md"), new RegExp(`^## ${manifest.version.replaceAll(".", "\\.")}$`, "m"));
});
