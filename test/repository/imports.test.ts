// The import fences hold: no edge that tools/imports/allowed.ts does not list, and no cycles.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { debts, type Fence, fences } from '../../tools/imports/allowed.ts';
import { type Import, readImports } from '../../tools/imports/read-imports.ts';
import { webSources } from '../../tools/setup.mjs';
import { sourceFiles } from '../../tools/tidy/files.ts';

const root = new URL('../..', import.meta.url).pathname;
const fenced = /^(src|cmd|web\/(src|file-engine)|proto|agent|bpf)\/.*\.tsx?$/;

/** Tests, and what only they use: nothing else may import it. */
const forTests = /\.test\.|\/(fake|testing)\//;

const files = sourceFiles(root).filter(({ path }) => fenced.test(path) && !forTests.test(path));
const imports = files.flatMap((file) => readImports(file.path, file.text()));

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function fenceOf(path: string): Fence | undefined {
  const around = fences.filter(({ folder }) => isInside(path, folder));
  return around.sort((a, b) => b.folder.length - a.folder.length)[0];
}

function isAllowed(edge: Import): boolean {
  const fence = fenceOf(edge.from);
  if (fence === undefined) return false;
  if (edge.isPackage) {
    return fence.packages.some((name) => edge.to === name || edge.to.startsWith(`${name}/`));
  }
  if (forTests.test(edge.to)) return false;
  const target = fenceOf(edge.to);
  if (target === fence) return true;
  // A folder in the list does not bring the fenced folders inside it, except for `src` in cmd.
  return fence.imports.some(
    (name) => isInside(edge.to, name) && (target?.folder === name || !isFence(name)),
  );
}

function isFence(name: string): boolean {
  return fences.some(({ folder }) => folder === name);
}

function isDebt(edge: Import): boolean {
  return debts.some(({ from, to }) => from === edge.from && to === edge.to);
}

test('there are files and imports to check', () => {
  assert.ok(files.length > 20, `${files.length} files`);
  assert.ok(imports.length > 50, `${imports.length} imports`);
});

test('a fence lets through what it lists and nothing else', () => {
  const check = (from: string, to: string, want: boolean): void =>
    assert.equal(isAllowed({ from, to, line: 1, isPackage: !to.includes('/x') }), want, to);
  check('src/query/x.ts', 'src/model/x.ts', true);
  check('src/query/x.ts', 'src/storage/x.ts', false);
  check('src/storage/x.ts', 'src/formats/x.ts', false);
  check('src/storage/x.ts', 'src/base/node/x.ts', false);
  check('src/model/x.ts', 'node:fs', false);
  check('src/storage/x.ts', 'src/base/fake/x.ts', false);
  check('cmd/parca/x.ts', 'src/base/node/x.ts', true);
});

test('every import is inside its fence', () => {
  const wrong = imports.filter((edge) => !isAllowed(edge) && !isDebt(edge));
  const lines = wrong.map(
    ({ from, line, to }) => `${from}:${line}: may not import ${to} (tools/imports/allowed.ts)`,
  );
  assert.deepEqual(lines, []);
});

test('every debt is still one', () => {
  const paid = debts.filter(
    (debt) => !imports.some((edge) => edge.from === debt.from && edge.to === debt.to),
  );
  assert.deepEqual(paid, [], 'take these out of the list');
});

test('files do not import in circles', () => {
  const edges = new Map<string, Set<string>>();
  for (const { from, to, isPackage } of imports) {
    if (!isPackage) edges.set(from, (edges.get(from) ?? new Set()).add(to));
  }
  assert.deepEqual(findCycle(edges), []);
});

test('folders do not import in circles', () => {
  const edges = new Map<string, Set<string>>();
  for (const edge of imports) {
    if (edge.isPackage) continue;
    const from = fenceOf(edge.from)?.folder ?? edge.from;
    const to = fenceOf(edge.to)?.folder ?? edge.to;
    if (from !== to) edges.set(from, (edges.get(from) ?? new Set()).add(to));
  }
  assert.deepEqual(findCycle(edges), []);
});

test('the page is built again when anything it imports changes', () => {
  const outside = imports.filter(
    ({ from, to, isPackage }) =>
      isInside(from, 'web') && !isPackage && !webSources.some((folder) => isInside(to, folder)),
  );
  assert.deepEqual(outside, [], 'add the folder to webSources in tools/setup.mjs');
});

/** A list of places, each importing the next and the last the first; empty without a cycle. */
function findCycle(edges: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const done = new Set<string>();
  const visit = (place: string, trail: readonly string[]): string[] => {
    const start = trail.indexOf(place);
    if (start >= 0) return trail.slice(start);
    if (done.has(place)) return [];
    for (const next of edges.get(place) ?? []) {
      const cycle = visit(next, [...trail, place]);
      if (cycle.length > 0) return cycle;
    }
    done.add(place);
    return [];
  };
  for (const place of edges.keys()) {
    const cycle = visit(place, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}

test('the reader of imports finds each kind', () => {
  const text = [
    `import { a } from './a.ts';`,
    `import {\n  b,\n  type C,\n} from '../b/b.ts';`,
    `import './side.ts';`,
    `export { d } from './d.ts';`,
    `const e = await import('./e.ts');`,
    `new Worker(new URL('./f.ts', import.meta.url));`,
    `import fs from 'node:fs/promises';`,
    `import { g } from '@scope/g/deep';`,
  ].join('\n');
  const found = readImports('src/x/y.ts', text).map(({ to }) => to);
  const paths = ['src/x/a.ts', 'src/b/b.ts', 'src/x/side.ts', 'src/x/d.ts', 'src/x/e.ts'];
  const expected = [...paths, 'src/x/f.ts', 'node:fs/promises', '@scope/g'];
  assert.deepEqual(found.sort(), expected.sort());
});
