// The extension's own code, and a real LSP client library, against the real server over its pipes.

import assert from "node:assert/strict";
import { spawn, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as esbuild from "esbuild";
import { sandalc } from "./sandalc.mjs";

const require = createRequire(import.meta.url);
const rpc = require("vscode-languageserver-protocol/node");
const MODEL = `proc Lamp(light channel { bool }) { send(light, true) }
proc Eye(light channel { bool }) {
    var seen bool
    recv(light, seen)
}
init {
    light: channel { bool } @drop,
    lamp: Lamp(light),
    eye: Eye(light),
}
ltl sees { F (eye.done && eye.seen) }
`;

/** A module of the extension that does not need the editor, loaded as it is bundled. */
async function load(name) {
  const { outputFiles } = await esbuild.build({
    entryPoints: [fileURLToPath(new URL(`../src/${name}.ts`, import.meta.url))],
    bundle: true, platform: "node", format: "cjs", external: ["vscode"], write: false,
  });
  const module = { exports: {} };
  new Function("module", "exports", "require", outputFiles[0].text)(module, module.exports, require);
  return module.exports;
}

let folder, child, connection, uri;
const published = new Map();

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "sandal-"));
  writeFileSync(join(folder, "model.sdl"), MODEL);
  uri = pathToFileURL(join(folder, "model.sdl")).href;
  child = spawn(sandalc, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
  connection = rpc.createProtocolConnection(new rpc.StreamMessageReader(child.stdout), new rpc.StreamMessageWriter(child.stdin));
  connection.onNotification(rpc.PublishDiagnosticsNotification.type, (params) => {
    published.set(params.uri, params);
  });
  connection.onRequest(rpc.CodeLensRefreshRequest.type, () => null);
  connection.listen();
  const { capabilities } = await connection.sendRequest(rpc.InitializeRequest.type, {
    processId: process.pid, rootUri: pathToFileURL(folder).href, capabilities: {}, workspaceFolders: null,
    initializationOptions: { timeout: 60 },
  });
  assert.equal(capabilities.positionEncoding, "utf-16");
  await connection.sendNotification(rpc.InitializedNotification.type, {});
  await connection.sendNotification(rpc.DidOpenTextDocumentNotification.type, {
    textDocument: { uri, languageId: "sandal", version: 1, text: MODEL },
  });
});

after(async () => {
  await connection.sendRequest(rpc.ShutdownRequest.type);
  await connection.sendNotification(rpc.ExitNotification.type);
  await new Promise((resolve) => child.on("exit", resolve));
  assert.equal(child.exitCode, 0);
  rmSync(folder, { recursive: true });
});

async function until(found) {
  for (let round = 0; round < 3000; round += 1) {
    if (found()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.fail("the server says nothing");
}

test("a client library understands the answers", async () => {
  const textDocument = { uri };
  const position = { line: 10, character: 14 };
  const hover = await connection.sendRequest(rpc.HoverRequest.type, { textDocument, position });
  assert.match(hover.contents.value, /eye: Eye\(light\)/);
  const definition = await connection.sendRequest(rpc.DefinitionRequest.type, { textDocument, position });
  assert.deepEqual(definition.range.start, { line: 8, character: 4 });
  const tokens = await connection.sendRequest(rpc.SemanticTokensRequest.type, { textDocument });
  assert.equal(tokens.data.length % 5, 0);
  const lenses = await connection.sendRequest(rpc.CodeLensRequest.type, { textDocument });
  assert.ok(lenses.some((lens) => lens.command.command === "sandal.showRun"));
});

test("what is wrong is told, and mended", async () => {
  const change = (version, text) => connection.sendNotification(rpc.DidChangeTextDocumentNotification.type, {
    textDocument: { uri, version }, contentChanges: [{ text }],
  });
  await change(2, MODEL.replace("eye.done", "eye.dnoe"));
  await until(() => published.get(uri)?.version === 2);
  const [message] = published.get(uri).diagnostics;
  assert.equal(message.source, "sandalc");
  assert.match(message.codeDescription.href, /errors\.md#s\d{4}$/);
  const actions = await connection.sendRequest(rpc.CodeActionRequest.type, {
    textDocument: { uri }, range: message.range, context: { diagnostics: [message] },
  });
  assert.equal(actions[0].edit.changes[uri][0].newText, "done");
  await change(3, MODEL);
  await until(() => published.get(uri)?.version === 3);
  assert.deepEqual(published.get(uri).diagnostics, []);
});

test("a run is shown as the extension shows it", async () => {
  const { answerOf, page } = await load("answers");
  const found = await connection.sendRequest(rpc.ExecuteCommandRequest.type, { command: "sandal.showRun", arguments: [uri, "sees"] });
  assert.match(answerOf(found), /^sees violated: /);
  assert.ok(found.run.steps.some((step) => step.fault === "light@drop" || /drop/.test(step.fault ?? "")), JSON.stringify(found.run.steps));
  const html = page({ ...found.run, property: "<sees>" }, "abc");
  assert.equal(html.match(/data-step=/g).length, found.run.steps.length);
  assert.ok(html.includes("&lt;sees&gt;") && html.includes("<svg"));
  assert.ok(html.includes("script-src 'nonce-abc'") && !/on(click|load)=/.test(html));
});

test("a missing server is explained", async () => {
  const { findServer } = await load("server");
  const found = await findServer(sandalc);
  assert.equal(found.ok, true);
  assert.equal(found.version, execFileSync(sandalc, ["--version"]).toString().trim());
  const missing = await findServer(join(folder, "nothing"));
  assert.match(missing.why, /there is no such program.*`sandal\.path`/);
  const other = await findServer(process.execPath);
  assert.match(other.why, /is not sandalc/);
});

test("settings reach the server as it reads them", async () => {
  const { serverSettings } = await load("answers");
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url)));
  const all = manifest.contributes.configuration.properties;
  const settings = serverSettings((key) => all[`sandal.${key}`]?.default);
  assert.deepEqual(settings, { timeout: 60, inlayHints: true, codeLens: true });
  const names = Object.keys(all).map((name) => name.replace("sandal.", "")).filter((name) => name !== "path");
  const asked = [];
  serverSettings((key) => void asked.push(key));
  assert.deepEqual(asked.sort(), names.sort());
});

test("the extension is bundled and exports what the editor calls", () => {
  const bundle = readFileSync(new URL("../dist/extension.js", import.meta.url), "utf8");
  assert.ok(bundle.includes("activate") && bundle.includes("deactivate"));
});
