// Generates docs/limits.md from all `limits.ts` files; with --check, only reports whether it is up
// to date.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = new URL('../../', import.meta.url).pathname;
const pagePath = `${root}docs/limits.md`;

const head = `# Limits

Every limit of the server and of the agent that has no flag, with its value and its reason, by the
folder that has it. \`flags.md\` has those with a flag, and \`api.md\`, "Limits", says what a client
gets above them.

This page is made from the \`limits.ts\` of each folder: \`npm run generate\`.
`;

const sections = [];
for (const path of globSync('{src,agent}/**/limits.ts', { cwd: root }).toSorted()) {
  sections.push(await renderSection(path));
}
const page = `${head}\n${sections.join('\n')}`;
if (!existsSync(pagePath) || readFileSync(pagePath, 'utf8') !== page) {
  if (process.argv.includes('--check')) {
    console.error('stale: docs/limits.md; run: node tools/generate/limits-page.mjs');
    process.exitCode = 1;
  } else {
    writeFileSync(pagePath, page);
  }
}

/** Returns the table for a file, with the limits in the order of the file. */
async function renderSection(path) {
  const values = await import(pathToFileURL(root + path).href);
  const rows = ['| limit | value | what, and why |', '| --- | --- | --- |'];
  let reason = '';
  for (const [, comment, name] of readFileSync(root + path, 'utf8').matchAll(
    /(?:\/\*\*(.*?)\*\/\n)?export const (\w+)/gs,
  )) {
    // A limit without a comment belongs to the limit above it.
    if (comment !== undefined) reason = readComment(comment);
    rows.push(`| \`${name}\` | ${showValue(name, values[name])} | ${reason} |`);
  }
  return `## ${dirname(path)}\n\n${rows.join('\n')}\n`;
}

function readComment(comment) {
  const lines = comment.split('\n').map((line) => line.replace(/^\s*\*\s?/, '').trim());
  return lines.join(' ').trim().replaceAll('|', '\\|');
}

/** Formats a value in the unit given by its name. */
function showValue(name, value) {
  if (/Millis/.test(name)) return showMillis(Number(value));
  if (/Nanos/.test(name)) return showMillis(Number(value) / 1e6);
  if (/Bytes/.test(name)) return showBytes(value);
  if (/Seconds/.test(name)) return `${showNumber(value)} s`;
  return showNumber(value);
}

function showMillis(millis) {
  for (const [unit, size] of [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['min', 60_000],
    ['s', 1_000],
  ]) {
    if (millis >= size && Number.isInteger((millis / size) * 2)) return `${millis / size} ${unit}`;
  }
  if (millis >= 0.1) return `${showNumber(millis)} ms`;
  return millis >= 0.01 ? `${showNumber(millis * 1e3)} us` : `${showNumber(millis * 1e6)} ns`;
}

function showBytes(bytes) {
  for (const [unit, size] of [
    ['GiB', 1024 ** 3],
    ['MiB', 1024 ** 2],
    ['MB', 1e6],
    ['KiB', 1024],
  ]) {
    if (bytes >= size && Number.isInteger((bytes / size) * 2)) return `${bytes / size} ${unit}`;
  }
  return `${showNumber(bytes)} bytes`;
}

function showNumber(value) {
  return value.toLocaleString('en-US', { maximumFractionDigits: 4 });
}
