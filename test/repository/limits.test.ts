// Tests that docs/limits.md matches the limits in the code.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { queriesRunningMax } from '../../src/base/limits.ts';

const root = resolve(import.meta.dirname, '../..');

test('docs/limits.md has every limit with its value and its comment', () => {
  const script = join(root, 'tools/generate/limits-page.mjs');
  const run = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  assert.equal(run.stderr, '');
  assert.equal(run.status, 0);
  const page = readFileSync(join(root, 'docs/limits.md'), 'utf8');
  assert.ok(page.includes(`| \`queriesRunningMax\` | ${queriesRunningMax} | `));
  assert.match(
    page,
    /^\| `elfNoteBytesMax` \| 64 KiB \| Maximum size of one section or segment of notes; .+ \|$/m,
  );
});
