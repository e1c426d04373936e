// The report in a real browser: opened from a file, clicked through, looked at in dark and light, on a phone, on paper.
// `cargo test --test browser` writes the reports to the folder REPORTS and says which browser to use.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";

const reports = process.env.REPORTS;
const profile = mkdtempSync(join(tmpdir(), "sandalc-browser-"));
let context;
const noises = [];

before(async () => {
  context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM,
    headless: true,
    viewport: { width: 1280, height: 900 },
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  context.on("request", (request) => { if (!request.url().startsWith("file:")) noises.push("request: " + request.url()); });
});

after(async () => {
  await context?.close();
  rmSync(profile, { recursive: true, force: true });
});

// Opens a report; afterwards nothing may have complained and nothing may have been asked for.
const open = async (name, options = {}) => {
  const page = await context.newPage();
  page.on("console", (message) => noises.push("console: " + message.text()));
  page.on("pageerror", (error) => noises.push("error: " + error.message));
  page.on("dialog", (dialog) => { noises.push("dialog: " + dialog.message()); dialog.dismiss(); });
  if (options.viewport) await page.setViewportSize(options.viewport);
  if (options.media) await page.emulateMedia(options.media);
  await page.goto("file://" + join(reports, name));
  return page;
};
const quiet = async (page) => {
  await page.close();
  assert.deepEqual(noises.splice(0), []);
};
const at = (page) => page.locator(".at:visible").textContent();
const said = (page) => page.locator(".said:visible").textContent();
const lit = (page) => page.locator(".source:visible li.here").textContent();

test("verdicts and runs are there", async () => {
  const page = await open("two_phase.html");
  assert.equal(await page.locator("section[aria-labelledby='verdicts'] tbody tr").count(), 8);
  assert.equal(await page.locator("section[aria-labelledby='verdicts'] td.violated").count(), 2);
  assert.deepEqual(await page.locator('[role="tab"]').allTextContents(), ["deadlock", "commit_reaches_all"]);
  assert.match(await page.title(), /two_phase_all\.sdl/);
  await quiet(page);
});

test("keys go forwards and back, and the line of the step is highlighted", async () => {
  const page = await open("two_phase.html");
  await page.locator("a[data-run='1']").click();
  assert.match(await at(page), /step 0 of 25/);
  await page.keyboard.press("f");
  assert.match(await said(page), /FAULT arbiter crashes/);
  assert.match(await at(page), /step 22 of 25/);
  assert.match(await lit(page), /if all_ready \{/);
  assert.equal(await page.locator(".source:visible li.here").count(), 1);
  await page.keyboard.press("ArrowLeft");
  assert.match(await said(page), /arbiter sets determined = true/);
  assert.match(await lit(page), /determined = true/);
  assert.match(await page.locator(".values:visible tr.new").textContent(), /determined.*false.*true/);
  await page.keyboard.press("Home");
  assert.match(await at(page), /step 0 of/);
  await page.keyboard.press("ArrowRight");
  assert.match(await at(page), /step 3 of/, "steps that change nothing are passed over");
  await page.locator("#run-1").getByLabel("every step").check();
  await page.locator(".chart:visible").focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  assert.match(await at(page), /step 1 of/);
  await quiet(page);
});

test("the slider, clicks and the search go where they say", async () => {
  const page = await open("two_phase.html");
  await page.locator('input[type="range"]:visible').fill("7");
  assert.match(await said(page), /worker1 sends Ready on vote1/);
  await page.locator("[data-row='3'] .hit").click({ position: { x: 20, y: 4 } });
  assert.match(await said(page), /worker2 receives Ready from order2/);
  assert.equal(await page.locator("[data-row='3'].here").count(), 1);
  await page.locator('input[type="search"]:visible').fill("times out");
  await page.keyboard.press("Enter");
  assert.match(await at(page), /step 16 of/);
  await page.keyboard.press("Enter");
  assert.match(await at(page), /step 20 of/);
  await page.keyboard.press("Shift+Enter");
  assert.match(await at(page), /step 16 of/);
  await quiet(page);
});

test("a loop goes round", async () => {
  const page = await open("durable_store.html");
  await page.keyboard.press("End");
  assert.match(await said(page), /goes on with step 8, for ever/);
  await page.keyboard.press("ArrowRight");
  assert.match(await at(page), /step 8 of 15/);
  assert.ok(await page.locator("path.loop").count() > 0);
  await quiet(page);
});

test("the state machine shows where the process is", async () => {
  const page = await open("two_phase.html");
  await page.locator('input[type="range"]:visible').fill("16");
  const place = page.locator(".machine:visible .lit");
  assert.equal(await place.count(), 1);
  assert.match(await place.textContent(), /28\s+if !received/);
  await page.getByLabel("process", { exact: true }).selectOption({ label: "worker2" });
  assert.equal(await page.locator(".machine:visible .lit").count(), 1);
  await quiet(page);
});

test("lanes can be switched off", async () => {
  const page = await open("two_phase.html");
  const names = page.locator(".names:visible .name");
  assert.equal(await names.count(), 3);
  await page.locator(".lanes:visible summary").click();
  await page.locator(".lanes:visible label", { hasText: "worker2" }).locator("input").uncheck();
  assert.equal(await names.count(), 2);
  await quiet(page);
});

test("dark and light follow the system, and a button", async () => {
  const paper = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const page = await open("two_phase.html", { media: { colorScheme: "dark" } });
  const dark = await paper(page);
  await page.emulateMedia({ colorScheme: "light" });
  const light = await paper(page);
  assert.notEqual(dark, light);
  await page.locator("#theme").click();
  assert.equal(await paper(page), dark);
  await quiet(page);
});

test("a phone has room for everything", async () => {
  const page = await open("two_phase.html", { viewport: { width: 360, height: 740 } });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 360, `the page is ${wide} wide`);
  await page.getByLabel("one step on").click();
  assert.match(await at(page), /step 3 of/);
  await quiet(page);
});

test("on paper there are pictures of all runs", async () => {
  const page = await open("two_phase.html", { media: { media: "print" } });
  assert.equal(await page.locator(".viewer:visible").count(), 0);
  assert.equal(await page.locator(".paper-only svg:visible").count(), 2);
  await quiet(page);
});

test("who does not see the chart is told", async () => {
  const page = await open("two_phase.html");
  assert.equal(await page.locator('.said:visible[role="status"][aria-live="polite"]').count(), 1);
  await page.keyboard.press("f");
  const slider = page.locator('input[type="range"]:visible');
  assert.match(await slider.getAttribute("aria-valuetext"), /step 16 of 25: arbiter times out/);
  // Everything that can be pressed or chosen has a name.
  const nameless = await page.evaluate(() => [...document.querySelectorAll("button, input, select, [role=region], svg[role=img]")]
    .filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim() || e.closest("label")?.textContent.trim())).length);
  assert.equal(nameless, 0);
  await quiet(page);
});

test("nothing hostile gets through", async () => {
  const page = await open("hostile.html");
  await page.keyboard.press("End");
  await page.waitForTimeout(200);
  assert.equal(await page.evaluate(() => window.evil), undefined);
  assert.equal(await page.locator("img, iframe, object, embed, image, foreignObject").count(), 0);
  assert.ok(!/[\u202e\u001b]/.test(await page.locator("body").innerText()));
  await quiet(page);
});

test("thousands of steps of many processes are usable", async () => {
  const start = Date.now();
  const page = await open("ring.html");
  await page.locator(".said:visible").waitFor();
  const time = Date.now() - start;
  assert.ok(time < 2000, `it took ${time} ms to open`);
  assert.match(await at(page), /of [56]\d\d\d/);
  assert.equal(await page.locator(".names .name").count(), 60);
  const jump = Date.now();
  await page.keyboard.press("End");
  await page.locator(".row.here").first().waitFor();
  assert.ok(Date.now() - jump < 1000);
  assert.ok(await page.locator(".row").count() < 400, "only what is seen is drawn");
  await quiet(page);
});

test("two runs that cannot be told apart stand side by side, each with its own steps", async () => {
  const page = await open("twins.html");
  await page.getByRole("tab", { name: "sound", exact: true }).click();
  const panel = page.locator('[role="tabpanel"]:visible');
  const viewers = panel.locator(".viewer");
  assert.equal(await viewers.count(), 2);
  const [left, right] = [await viewers.nth(0).boundingBox(), await viewers.nth(1).boundingBox()];
  assert.ok(left.x + left.width <= right.x && Math.abs(left.y - right.y) < 30, "side by side");
  assert.match(await panel.locator("h3").nth(0).textContent(), /sound is violated/);
  assert.ok((await panel.textContent()).includes("receiver cannot tell it from this run"));
  await viewers.nth(1).getByLabel("to the end").click();
  assert.match(await viewers.nth(1).locator(".said").textContent(), /FAULT receiver.rec flips to true/);
  assert.match(await viewers.nth(0).locator(".at").textContent(), /step 0 of 13/);
  assert.match(await panel.locator(".shared").textContent(), /receiver\.rec\s*true/);
  await page.setViewportSize({ width: 390, height: 800 });
  const [above, below] = [await viewers.nth(0).boundingBox(), await viewers.nth(1).boundingBox()];
  assert.ok(above.y + above.height <= below.y, "one above the other");
  await quiet(page);
});
