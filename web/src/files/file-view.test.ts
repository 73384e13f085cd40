// Tests that the view of a file shows its profiles, regardless of their times.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FileEngine } from '../../file-engine/file-engine.ts';
import { createClock } from '../../../src/base/node/clock.ts';
import { cpuProfile, gzippedPprof } from '../../../test/support/profiles/pprof-builder.ts';
import { resolveRange } from '../url/time-range.ts';
import { parseUrl, printUrl } from '../url/url-state.ts';
import { firstView } from './file-view.ts';
import { timeBounds } from '../rpc/time-bounds.ts';

const modified = 1_790_000_000_000;
const { signal } = new AbortController();

/** Opens a file as the page does, and returns the stacks in the range of its URL. */
async function shown(timeNanos: bigint, modifiedMillis: number): Promise<string> {
  const engine = new FileEngine(createClock());
  const bytes = new Uint8Array(
    gzippedPprof(cpuProfile({ timeNanos, samples: [['main;work', 3n]] })),
  );
  const file = await engine.open({ name: 'a.pb.gz', bytes, modifiedMillis });
  const { state, bad } = parseUrl(printUrl(firstView([file])));
  assert.deepEqual(bad, [], String(timeNanos));
  const parameters = new URLSearchParams({
    query: state.query,
    format: 'collapsed',
    ...timeBounds(resolveRange(state, Date.now())),
  });
  return new TextDecoder().decode(await engine.get(`export?${parameters}`, signal));
}

test('a file shows its functions with any time', async () => {
  const seconds = 1_790_000_000n;
  const times: readonly bigint[] = [
    0n,
    1n,
    -1n,
    -(2n ** 63n),
    seconds,
    seconds * 1_000n,
    seconds * 1_000_000n,
    seconds * 1_000_000_000n,
    7_258_118_400_000_000_000n,
    9_223_372_036_000_000_000n,
  ];
  for (const time of times) {
    assert.match(await shown(time, modified), /^main;work \d+$/m, String(time));
    // Archives may contain files without a time.
    assert.match(await shown(time, 0), /^main;work \d+$/m, `${time}, a file without a time`);
  }
});
