// Tests of pushed pprof profiles without facts from their senders: reading them neither blocks the
// event loop for long nor makes large copies.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { push } from '../../../proto/gen/push.js';
import { createFakeClock } from '../../base/fake/clock.ts';
import { openContent } from '../../formats/gzip.ts';
import { pprofNameSteps } from '../../formats/import/pprof-name.ts';
import { pprofHeadSteps, readPprofHead } from '../../formats/pprof/head.ts';
import { PprofWriter } from '../../formats/pprof/writer.ts';
import type { ProfileUpload } from '../../ingest/interface.ts';
import { pusherMethods } from './pyroscope/pusher-service.ts';

const bytes = { type: 'space', unit: 'bytes' };

function encodeProfile(types: readonly string[], frame: string): Uint8Array {
  const writer = new PprofWriter();
  const values = types.map(() => 1n);
  writer.sample([writer.frame({ name: frame })], values, []);
  const sampleTypes = types.map((type) => ({ type, unit: 'bytes' }));
  return writer.finish({
    sampleTypes,
    timeNanos: 1n,
    durationNanos: 0n,
    period: 1n,
    periodType: bytes,
  });
}

test('facts of millions of fields are read in many steps, with the same result', () => {
  const profile = encodeProfile(['contentions', 'delay'], 'sync.(*Mutex).Unlock');
  const fields = Buffer.alloc(4_000_000, Buffer.from([0x32, 0]));
  const large = Buffer.concat([profile, fields]);
  let steps = 0;
  function finish<T>(work: Generator<undefined, T>): T {
    for (;;) {
      const { done, value } = work.next();
      if (done === true) return value;
      steps += 1;
    }
  }
  const head = finish(pprofHeadSteps(large));
  assert.deepEqual(head, readPprofHead(profile));
  assert.equal(finish(pprofNameSteps(large, head)), 'mutex');
  assert.ok(steps > 1_000, `${steps} steps`);
});

test('gzipped changes of a push stay gzipped, and get their duration', async () => {
  // The profile has a megabyte after decompression, and a request can contain ten thousand of them.
  const profile = encodeProfile(['alloc_space', 'inuse_space'], 'f'.repeat(1_000_000));
  const stored: ProfileUpload[] = [];
  const pushes = {
    store: async (uploads: readonly ProfileUpload[]): Promise<void> => void stored.push(...uploads),
  };
  const [method] = pusherMethods(pushes, createFakeClock(), assert.fail);
  assert.ok(method.kind === 'unary');
  const request = push.v1.PushRequest.encode({
    series: [
      {
        labels: [{ name: '__name__', value: 'godeltaprof_memory' }],
        samples: [{ rawProfile: gzipSync(profile) }],
      },
    ],
  }).finish();
  const sender = { peer: '', caller: '', limits: {}, tags: [] };
  await method.handle(request, { ...sender, signal: new AbortController().signal });
  assert.deepEqual(
    stored.map((upload) => {
      assert.ok(upload.profile.length < 10_000, `${upload.profile.length} bytes`);
      const { durationNanos } = readPprofHead(openContent(upload.profile).bytes);
      return [durationNanos, upload.keepSampleTypes?.map(({ type }) => type)];
    }),
    [
      [15_000_000_000n, ['alloc_space']],
      [0n, ['inuse_space']],
    ],
  );
});
