// Tests the published dashboards against the types that Grafana generates from its schemas: no
// field is unknown, missing or of another type.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { scratchDirectory } from '../support/server.ts';
import { testTool } from '../support/tools.ts';

const folder = new URL('../../deploy/grafana/dashboards/', import.meta.url).pathname;
const scratch = await scratchDirectory();
after(() => scratch.remove());

test('dashboards are of the form of the schemas', () => {
  const program = join(scratch.path, 'grafana-schema');
  execFileSync(testTool('TEST_NEW_GO'), ['build', '-o', program, '.'], {
    cwd: new URL('grafana-schema/', import.meta.url).pathname,
    env: { ...process.env, GOTOOLCHAIN: 'auto', GOFLAGS: '-mod=readonly' },
  });
  const files = readdirSync(folder).map((name) => join(folder, name));
  assert.ok(files.length >= 3, files.join());
  const findFaults = (paths: readonly string[]): string =>
    execFileSync(program, paths, { encoding: 'utf8' });
  assert.equal(findFaults(files), '');
  const bad = join(scratch.path, 'bad.json');
  writeFileSync(bad, readFileSync(files[0], 'utf8').replace('"gridPos"', '"gridPosition"'));
  assert.match(findFaults([bad]), /unexpected field 'gridPosition'/);
});
