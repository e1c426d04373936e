// Finds sandalc, and says what to do if it is not there.

import { execFile } from "node:child_process";

/** What was found. */
export type Found = { ok: true; path: string; version: string } | { ok: false; why: string };

/** The oldest version that has a language server. */
const OLDEST = [0, 1, 0];

/** Asks `path`, or `sandalc` on the PATH, for its version. */
export function findServer(configured: string): Promise<Found> {
  const path = configured.trim() || "sandalc";
  return new Promise((resolve) => {
    execFile(path, ["--version"], { timeout: 10_000, windowsHide: true }, (error, stdout) => {
      resolve(error ? { ok: false, why: missing(path, configured, error) } : judged(path, stdout));
    });
  });
}

function missing(path: string, configured: string, error: Error): string {
  const why = (error as NodeJS.ErrnoException).code === "ENOENT" ? "there is no such program" : error.message.split("\n")[0];
  return configured.trim()
    ? `sandalc cannot be started from \`${path}\` (${why}): correct the setting \`sandal.path\`.`
    : "sandalc is not installed, or not on the PATH: install it with `cargo install --path .` in its repository, or set `sandal.path`. Until then there is highlighting only.";
}

function judged(path: string, stdout: string): Found {
  const version = /^sandalc (\d+)\.(\d+)\.(\d+)/.exec(stdout);
  if (!version) return { ok: false, why: `\`${path}\` is not sandalc: correct the setting \`sandal.path\`.` };
  const numbers = version.slice(1, 4).map(Number);
  const differs = numbers.findIndex((number, i) => number !== OLDEST[i]);
  if (differs >= 0 && numbers[differs] < OLDEST[differs]) {
    return { ok: false, why: `sandalc ${numbers.join(".")} has no language server: install ${OLDEST.join(".")} or newer.` };
  }
  return { ok: true, path, version: stdout.trim() };
}
