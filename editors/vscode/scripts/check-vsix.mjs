// Lists what is in a packaged extension and fails if that is not exactly what belongs there.

import { readFileSync } from "node:fs";

const EXPECTED = [
  "[Content_Types].xml",
  "extension.vsixmanifest",
  "extension/LICENSE-APACHE",
  "extension/LICENSE-MIT",
  "extension/LICENSE.txt",
  "extension/changelog.md",
  "extension/dist/extension.js",
  "extension/images/file-dark.svg",
  "extension/images/file-light.svg",
  "extension/images/sandal.png",
  "extension/language-configuration.json",
  "extension/package.json",
  "extension/readme.md",
  "extension/snippets/sandal.json",
  "extension/syntaxes/sandal.tmLanguage.json",
  "extension/walkthrough/check.md",
  "extension/walkthrough/install.md",
  "extension/walkthrough/write.md",
];

/** The entries of a zip file, `[{ name, size }]`, from its central directory. */
function entries(zip) {
  const end = zip.lastIndexOf("PK\x05\x06", undefined, "latin1");
  if (end < 0) throw new Error("not a zip file");
  const found = [];
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const nameLength = zip.readUInt16LE(at + 28);
    found.push({ name: zip.toString("utf8", at + 46, at + 46 + nameLength), size: zip.readUInt32LE(at + 24) });
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return found;
}

const [file] = process.argv.slice(2);
const found = entries(readFileSync(file)).sort((a, b) => (a.name < b.name ? -1 : 1));
for (const { name, size } of found) console.log(`${String(size).padStart(7)}  ${name}`);

const names = found.map((entry) => entry.name);
const missing = EXPECTED.filter((name) => !names.includes(name));
const surplus = names.filter((name) => !EXPECTED.includes(name));
for (const name of missing) console.error(`${file}: ${name} is missing`);
for (const name of surplus) console.error(`${file}: ${name} does not belong there`);
if (missing.length + surplus.length > 0) process.exit(1);
console.log(`${file}: ${names.length} files, as expected`);
