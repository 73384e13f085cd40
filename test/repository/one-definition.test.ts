// Tests the table in CONTRIBUTING.md, which lists the code files that an addition must change: each
// example in it is in exactly these files.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { sourceFiles } from '../../tools/tidy/files.ts';

const root = new URL('../..', import.meta.url).pathname;
const contributing = readFileSync(`${root}CONTRIBUTING.md`, 'utf8');
const product = /^(src|cmd|agent|web\/src)\/.*\.(tsx?|grammar)$/;
const notProduct = /\.test\.|\/(fake|testing|gen)\//;

interface Example {
  /** The first column of the row. */
  readonly what: string;
  /** Pattern that matches in each file that an addition of this kind must change. */
  readonly pattern: RegExp;
  readonly files: readonly string[];
}

const examples: readonly Example[] = [
  {
    what: 'a way to find targets',
    pattern: /eureka/i,
    files: ['src/discovery/apis/eureka.ts', 'src/discovery/registry.ts'],
  },
  {
    what: 'a kind of report',
    pattern: /[mM]appingFiles\b/,
    files: [
      'src/api/query/report-encodings.ts',
      'src/query/report-kinds.ts',
      'src/report/mapping-files.ts',
    ],
  },
  {
    what: 'a stage of queries',
    pattern: /CollapseStage|'collapse'/,
    files: [
      'src/promql-like/expected.ts',
      'src/promql-like/query.grammar',
      'src/promql-like/query.ts',
      'src/promql-like/stages.ts',
      'src/query/plan/stage-views.ts',
    ],
  },
  {
    what: 'a format of imports',
    pattern: /decodeChromeCpuProfile|'chrome-cpu-profile'/,
    files: ['src/formats/chrome-cpu-profile/decode.ts', 'src/formats/import/import-profile.ts'],
  },
  {
    what: 'a protocol of pushes',
    pattern: /PusherService|pusher-service/,
    files: [
      'src/api/auth/scopes.ts',
      'src/api/ingest/pyroscope/pusher-service.ts',
      'src/api/server/service-methods.ts',
    ],
  },
];

const files = sourceFiles(root).filter(({ path }) => product.test(path) && !notProduct.test(path));

for (const { what, pattern, files: want } of examples) {
  test(`${what} takes ${want.length} code files, which CONTRIBUTING names`, () => {
    const found = files.filter((file) => pattern.test(file.text())).map(({ path }) => path);
    assert.deepEqual(found.toSorted(), want);
    const row = contributing.split('\n').find((line) => line.startsWith(`| ${what} |`)) ?? '';
    const named = Array.from(row.matchAll(/`([^`]+)`/g), ([, code]) => code);
    for (const path of want) {
      const isNamed = named.some(
        (name) => path === name || path.endsWith(`/${name}`) || isInFolder(path, name),
      );
      assert.ok(isNamed, `${path} is not in: ${row}`);
    }
  });
}

/** Returns true if a path is in the folder `name`, which ends with a slash. */
function isInFolder(path: string, name: string): boolean {
  return name.endsWith('/') && path.startsWith(name);
}
