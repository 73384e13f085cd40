// Tests that the import fences hold: every import is listed in tools/imports/allowed.ts, and there
// are no cycles.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { debts, type Fence, fences } from '../../tools/imports/allowed.ts';
import { rooms } from '../../tools/imports/room-fences.ts';
import { type Import, readImports } from '../../tools/imports/read-imports.ts';
import { webSources } from '../../tools/setup.mjs';
import { sourceFiles } from '../../tools/tidy/files.ts';

const root = new URL('../..', import.meta.url).pathname;
const fenced = /^(src|cmd|web\/(src|file-engine|picture)|proto|agent|bpf)\/.*\.tsx?$/;

/** Tests, and files that only tests use: nothing else may import them. */
const forTests = /\.test\.|\/(fake|testing)\//;

const files = sourceFiles(root).filter(({ path }) => fenced.test(path) && !forTests.test(path));
const imports = files.flatMap((file) => readImports(file.path, file.text()));

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

const inward = fences.toSorted((a, b) => b.folder.length - a.folder.length);
const fenceOfPath = new Map<string, Fence | undefined>();

function findFence(path: string): Fence | undefined {
  if (fenceOfPath.has(path)) return fenceOfPath.get(path);
  const fence = inward.find(({ folder }) => isInside(path, folder));
  fenceOfPath.set(path, fence);
  return fence;
}

function isAllowed(edge: Import): boolean {
  const fence = findFence(edge.from);
  if (fence === undefined) return false;
  if (edge.isPackage) return fence.packages.some((name) => permitsPackage(name, edge));
  if (forTests.test(edge.to)) return false;
  return (
    findFence(edge.to) === fence ||
    fence.imports.some((name) => permits(name, edge)) ||
    isOfTypes(edge, fence)
  );
}

/**
 * Returns true if a listed name permits an import. A folder does not include the fenced folders
 * inside it, except for `src` in cmd.
 */
function permits(name: string, edge: Import): boolean {
  return isInside(edge.to, name) && (findFence(edge.to)?.folder === name || !isFence(name));
}

function permitsPackage(name: string, { to }: Import): boolean {
  return to === name || to.startsWith(`${name}/`);
}

function isOfTypes(edge: Import, fence: Fence | undefined): boolean {
  return edge.isType && fence?.types?.some((name) => permits(name, edge)) === true;
}

const fencedFolders = new Set(fences.map(({ folder }) => folder));

function isFence(name: string): boolean {
  return fencedFolders.has(name);
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
    assert.equal(
      isAllowed({ from, to, line: 1, isPackage: !to.includes('/x'), isType: false }),
      want,
      to,
    );
  check('src/query/x.ts', 'src/model/x.ts', true);
  check('src/query/plan/x.ts', 'src/query/merge/x.ts', false);
  check('src/api/auth/x.ts', 'src/api/routes/x.ts', false);
  check('src/api/transport/call/x.ts', 'src/api/transport/json/x.ts', false);
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

test('every permission is used', () => {
  const unused = fences.flatMap((fence) => {
    const own = imports.filter(({ from }) => findFence(from) === fence);
    const outside = own.filter(({ to, isPackage }) => !isPackage && findFence(to) !== fence);
    const packages = own.filter(({ isPackage }) => isPackage);
    const lost = [
      ...fence.imports.filter((name) => !outside.some((edge) => permits(name, edge))),
      ...(fence.types ?? []).filter((name) => !outside.some((edge) => permits(name, edge))),
      ...fence.packages.filter((name) => !packages.some((edge) => permitsPackage(name, edge))),
    ];
    return lost.map((name) => `${fence.folder}: ${name}`);
  });
  assert.deepEqual(unused, [], 'take these out of the list');
});

for (const { room, fences: inside } of rooms) {
  test(`a folder of ${room} imports only folders before it in the list`, () => {
    const folders = inside.map(({ folder }) => folder);
    const late = inside.flatMap(({ folder, imports: names }, i) =>
      names.filter((name) => folders.indexOf(name) >= i).map((name) => `${folder}: ${name}`),
    );
    assert.deepEqual(late, []);
  });

  test(`each folder of ${room} has a fence`, () => {
    const folders = files
      .filter(({ path }) => isInside(path, room))
      .map(({ path }) => path.slice(0, path.lastIndexOf('/')));
    const open = [...new Set(folders)].filter(
      (folder) => findFence(`${folder}/x.ts`)?.folder !== folder,
    );
    assert.deepEqual(open, []);
  });
}

test('the tables of folders in READMEs have the order of the fences', () => {
  for (const room of ['src/api', 'src/query', 'src/storage']) {
    const readme = readFileSync(`${root}${room}/README.md`, 'utf8');
    const rows = Array.from(readme.matchAll(/^\| `([^`]+)\/` \|/gm), ([, folder]) => folder);
    const listed = rows.filter((folder) => isFence(`${room}/${folder}`));
    const places = listed.map((folder) =>
      fences.findIndex((fence) => fence.folder === `${room}/${folder}`),
    );
    assert.ok(listed.length > 5, room);
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
      `${room}: ${listed.join(' ')}`,
    );
  }
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
    if (isOfTypes(edge, findFence(edge.from))) continue;
    const from = findFence(edge.from)?.folder ?? edge.from;
    const to = findFence(edge.to)?.folder ?? edge.to;
    if (from !== to) edges.set(from, (edges.get(from) ?? new Set()).add(to));
  }
  assert.deepEqual(findCycle(edges), []);
});

test('folders inside a room do not import in circles either, but for types', () => {
  const edges = new Map<string, Set<string>>();
  for (const { from, to, isPackage, isType } of imports) {
    const [importer, imported] = [dirname(from), dirname(to)];
    // The generated parser imports hand-written tokenizers.
    const isGenerated = importer.endsWith('/gen');
    if (isPackage || isType || isGenerated || importer === imported) continue;
    edges.set(importer, (edges.get(importer) ?? new Set()).add(imported));
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

/**
 * Returns a list of folders, each importing the next, and the last importing the first; empty if
 * there is no cycle.
 */
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
