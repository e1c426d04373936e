// Which sandalc the tests start.

import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the workspace. */
export const root = fileURLToPath(new URL("../../../", import.meta.url));

// What was built last, however it was built.
const binaries = ["tests", "debug", "release"]
  .map((kind) => join(root, "target", kind, process.platform === "win32" ? "sandalc.exe" : "sandalc"))
  .filter((path) => existsSync(path))
  .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);

export const sandalc = process.env.SANDALC ?? binaries[0] ?? "sandalc";
