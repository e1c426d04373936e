// The packed extension in a real editor: VS Code as code-server builds it, in Chromium. `npm run test:editor` fetches the editor; the
// browser, and what drives it, are those of `cargo xtask browser`. Nothing native is built: an editor without terminals will do.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { root, sandalc } from "../sandalc.mjs";

const { chromium } = createRequire(join(root, "tests/browser/package.json"))("playwright-core");
const server = fileURLToPath(new URL("node_modules/code-server/lib/vscode/out/server-main.js", import.meta.url));
const extension = fileURLToPath(new URL("../../sandal.vsix", import.meta.url));
const home = mkdtempSync(join(tmpdir(), "sandal-editor-"));
const folders = ["--server-data-dir", join(home, "server"), "--user-data-dir", join(home, "data"), "--extensions-dir", join(home, "extensions")];
// The machine may be busy.
const LONG = 180_000;
let child;
let browser;
let page;

function findBrowser() {
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
  const places = names.flatMap((name) => (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, name)));
  return process.env.CHROMIUM ?? places.find((place) => existsSync(place));
}

/** Starts the editor; where it is. */
function start() {
  child = spawn(process.execPath, [server, ...folders, "--host", "127.0.0.1", "--port", "0", "--without-connection-token", "--accept-server-license-terms", "--telemetry-level", "off"]);
  return new Promise((resolve, reject) => {
    let said = "";
    child.stdout.on("data", (data) => {
      said += data;
      const found = /available at http:\/\/([^\s/]+)/.exec(said);
      if (found) resolve(found[1].replace("localhost", "127.0.0.1"));
    });
    child.stderr.on("data", () => {});
    child.on("exit", () => reject(new Error(said)));
  });
}

const lens = (text) => page.locator(".codelens-decoration a", { hasText: text });
const shot = (name) => page.screenshot({ path: join(root, "target", `editor-${name}.png`) });

before(async () => {
  // Settings of a user: only those say where sandalc is.
  const settings = {
    "sandal.path": sandalc,
    "security.workspace.trust.enabled": false,
    "workbench.startupEditor": "none",
  };
  mkdirSync(join(home, "data/User"), { recursive: true });
  mkdirSync(join(home, "data/Machine"), { recursive: true });
  for (const place of ["User", "Machine"]) writeFileSync(join(home, `data/${place}/settings.json`), JSON.stringify(settings));
  mkdirSync(join(home, "models"));
  cpSync(join(root, "examples/two_phase_all.sdl"), join(home, "models/two_phase_all.sdl"));
  execFileSync(process.execPath, [server, ...folders, "--install-extension", extension], { stdio: "ignore" });
  const host = await start();
  browser = await chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox", "--disable-gpu"] });
  page = await browser.newPage({ viewport: { width: 1500, height: 950 } });
  page.setDefaultTimeout(LONG);
  const file = `vscode-remote://${host}${home}/models/two_phase_all.sdl`;
  const payload = encodeURIComponent(JSON.stringify([["openFile", file]]));
  await page.goto(`http://${host}/?folder=${home}/models&payload=${payload}`);
  await page.locator(".view-lines").first().waitFor();
}, { timeout: LONG });

after(async () => {
  if (page) await shot("last");
  await browser?.close();
  child?.kill();
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

test("the extension starts the server: there are colours and lenses", async () => {
  await page.locator(".view-lines").first().click();
  await page.keyboard.press("Control+End");
  await lens("show run").first().waitFor();
  const colours = await page.evaluate(() => {
    const words = [...document.querySelectorAll(".view-line span span")];
    return new Set(words.map((word) => getComputedStyle(word).color)).size;
  });
  assert.ok(colours > 3, `${colours} colours`);
});

test("a mistake is underlined as long as it is there", async () => {
  const wrong = "invariant wrong { nobody.done }";
  await page.keyboard.type(wrong);
  await page.locator(".squiggly-error").first().waitFor();
  for (let left = wrong.length + 1; left > 0 && (await page.locator(".squiggly-error").count()) > 0; left -= 1) {
    await page.keyboard.press("Control+Z");
    await page.waitForTimeout(300);
  }
  await page.locator(".squiggly-error").first().waitFor({ state: "detached" });
});

test("the verdict stands in the place of the lens", async () => {
  await lens(/^check$/).first().click();
  await lens(/violated|holds/).first().waitFor();
  await shot("verdict");
});

test("a run steps through the model", async () => {
  await lens("show run").first().click();
  const run = page.frameLocator("iframe.webview").frameLocator("iframe");
  await run.locator("li[data-step]").nth(3).click();
  assert.equal(await run.locator("li[aria-current]").count(), 1);
  assert.ok((await run.locator("figure svg").count()) > 0);
  // The line that the step comes from is marked in the model.
  await page.locator(".view-overlays .cdr[class*='ced-']").first().waitFor();
  await shot("run");
});
