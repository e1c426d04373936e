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
  for (const step of manifest.contributes.walkthroughs[0].steps) paths.push(`./${step.media.markdown}`);
  assert.equal(paths.length, 8, paths.join(" "));
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

test("no workspace says which program is run", () => {
  const { properties } = manifest.contributes.configuration;
  assert.equal(properties["sandal.path"].scope, "machine");
  assert.deepEqual(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations, ["sandal.path"]);
  for (const [name, { type }] of Object.entries(properties)) {
    if (name !== "sandal.path") assert.ok(["number", "integer", "boolean"].includes(type), `${name} names something`);
  }
});

test("every command is registered, and every other one is the server's", () => {
  const source = read("src/extension.ts");
  for (const { command } of manifest.contributes.commands) {
    assert.ok(source.includes(`register("${command}"`), command);
  }
});

test("the problem matcher reads what sandalc prints", () => {
  const [headline, place] = manifest.contributes.problemMatchers[0].pattern.map(({ regexp }) => new RegExp(regexp));
  assert.deepEqual(headline.exec("error[S0301]: unknown name `x`").slice(1), ["error", "S0301", "unknown name `x`"]);
  assert.deepEqual(place.exec("  ┌─ models/a b.sdl:3:9").slice(1), ["models/a b.sdl", "3", "9"]);
});
