// Tests that every file named in the documentation exists.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

const root = new URL('../../', import.meta.url).pathname;
const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'STYLE.md',
  'CONTRIBUTING.md',
  'bench/README.md',
  'bench/RESULTS.md',
  'deploy/README.md',
  'examples/README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`),
];
const topFolders = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
  .map(({ name }) => name);

/** Files that building, running or testing the project makes. */
const made = /^(web\/dist|node_modules|data|test\/output|docs\/format\/<)/;

/** Returns the paths in a page's code, from the root, and the targets of its links. */
function namedPaths(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8').replaceAll(/^```.*?^```$/gms, '');
  const inCode = Array.from(text.matchAll(/`([^`\n]+)`/g), ([, code]) => code)
    .filter((code) => /^[\w./-]+$/.test(code))
    .filter((code) => topFolders.some((folder) => code.startsWith(`${folder}/`)));
  const linked = Array.from(text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g), ([, target]) => target)
    .filter((target) => !/^\w+:/.test(target))
    .map((target) => join(dirname(page), target));
  return [...inCode, ...linked].filter((path) => !made.test(path));
}

for (const page of pages) {
  test(`${page} names files that exist`, () => {
    const missing = namedPaths(page).filter((path) => !existsSync(join(root, path)));
    assert.deepEqual(missing, []);
  });
}

test('the walks of ARCHITECTURE.md name files', () => {
  assert.ok(namedPaths('ARCHITECTURE.md').length >= 20);
});
