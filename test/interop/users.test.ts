// Tests `parcatool users` on a real Go profile of two services: it counts the same samples as `go
// tool pprof -focus`.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, test } from 'node:test';
import { startFilledServer } from '../support/filled-server.ts';
import { runParcatool } from '../support/parcatool.ts';
import { testTool } from '../support/tools.ts';

const file = new URL('../../src/formats/pprof/testdata/go-cpu.pb.gz', import.meta.url).pathname;
const server = await startFilledServer([], () => Promise.resolve());
after(() => server.stop());
const at = `--server=${server.address}`;
for (const version of ['1', '2']) {
  const labels = ['--job=busy', `--label=version=${version}`];
  const pushed = await runParcatool('push', file, ...labels, at);
  assert.equal(pushed.code, 0, pushed.err);
}

/** Returns the nanoseconds of the samples that match `focus`, and of all samples. */
function byPprof(focus: string): readonly [focused: string, all: string] {
  const args = ['tool', 'pprof', '-top', '-unit=ns', '-symbolize=none', '-nodefraction=0'];
  const output = execFileSync(testTool('TEST_GO'), [...args, `-focus=${focus}`, file], {
    encoding: 'utf8',
    env: { ...process.env, PPROF_TMPDIR: server.scratchPath },
  });
  const [, focused = '0'] = /^Showing nodes accounting for (\d+)(?:ns)?,/m.exec(output) ?? [];
  const [, all = ''] = /Total samples = (\d+)(?:ns)?/.exec(output) ?? [];
  return [focused, all];
}

async function byUsers(name: string, kind: string): Promise<readonly (readonly string[])[]> {
  const range = ['--from=2026-11-21T09:00:00Z', '--to=2026-11-21T11:00:00Z'];
  const asked = [`--kind=${kind}`, ...range, '-o', 'json', at];
  const { code, out, err } = await runParcatool('users', name, ...asked);
  assert.equal(code, 0, err);
  const { users } = JSON.parse(out) as {
    readonly users: readonly { readonly total: string; readonly whole: string }[];
  };
  return users.map(({ total, whole }) => [total, whole]);
}

for (const [kind, name, focus] of [
  ['function', 'runtime.mallocgc', '^runtime\\.mallocgc$'],
  [
    'function',
    'compress/flate.(*compressor).deflate',
    '^compress/flate\\.\\(\\*compressor\\)\\.deflate$',
  ],
  ['package', 'compress/flate', '^compress/flate\\.'],
  // Some names of assembly functions have no package, but their files do.
  ['package', 'runtime', '^(runtime\\.|(gcWriteBarrier|aeshashbody)$)'],
  ['package', 'internal/bytealg', '^(internal/bytealg\\.|(cmpbody|indexbytebody)$)'],
  ['package', 'slices', '^slices\\.'],
  ['pattern', 'lock2$', 'lock2$'],
] as const) {
  test(`${kind} ${name} has the samples of go tool pprof`, async () => {
    const [focused, all] = byPprof(focus);
    assert.notEqual(focused, '0');
    const versions = await byUsers(name, kind);
    assert.deepEqual(versions, [
      [focused, all],
      [focused, all],
    ]);
  });
}
