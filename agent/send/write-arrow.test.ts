// Tests of Arrow requests, read by the server's decoder, and of servers without this method.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parca } from '../../proto/gen/profilestore.js';
import { AppError } from '../../src/base/errors.ts';
import { createFakeClock } from '../../src/base/fake/clock.ts';
import { MemoryFiles } from '../../src/base/fake/memory-files.ts';
import { type Logger, silentLogger } from '../../src/base/logger.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { seededRandom } from '../../src/base/random.ts';
import { readRecord } from '../../src/formats/parca-arrow/record-reader.ts';
import { storeFrame } from '../../src/formats/arrow/lz4-frame.ts';
import { rowTexts } from '../../src/formats/parca-arrow/testing/record-text.ts';
import { profilesPerRecordMax } from '../limits.ts';
import type { BatchProfile } from '../profile/batch-profiles.ts';
import type { Frame } from '../frames/frame.ts';
import { ProfileSamples } from '../profile/profile-samples.ts';
import { RequestQueue } from '../../src/forward/request-queue.ts';
import { Sender } from '../../src/forward/sender.ts';
import { arrowRequests, encodeWriteArrow, isWriteArrow, writeArrowMethod } from './write-arrow.ts';
import { encodeWriteRaw, writeRawMethod } from '../../src/forward/write-raw.ts';
import { compressProfiles } from './compress-profiles.ts';

const native: Frame = {
  mapping: '/bin/app',
  buildId: 'ab',
  address: 0x10n,
  functionName: '',
  fileName: '',
  startLine: 0,
  line: 0,
};
const kernel: Frame = {
  mapping: '[kernel.kallsyms]',
  buildId: '',
  address: 0n,
  functionName: 'do_syscall_64',
  fileName: 'vmlinux',
  startLine: 0,
  line: 0,
};
const head = {
  sampleType: { type: 'samples', unit: 'count' },
  periodType: { type: 'cpu', unit: 'nanoseconds' },
  period: 52_631_579n,
  timeNanos: 1_000n,
  durationNanos: 5_000n,
};

function makeProfile(comm: string): BatchProfile {
  const samples = new ProfileSamples();
  const stack = samples.addStack([kernel, native]);
  samples.add(stack, [{ name: 'cpu', value: '0' }]);
  samples.add(stack, [{ name: 'cpu', value: '1' }]);
  samples.add(samples.addStack([native]), [{ name: 'cpu', value: '0' }]);
  samples.add(stack, [{ name: 'cpu', value: '1' }]);
  return { labels: [{ name: 'comm', value: comm }], head, samples };
}

async function readRecords(profiles: readonly BatchProfile[]): Promise<string[][]> {
  const requests = encodeWriteArrow(profiles, storeFrame);
  return requests.map((request) => {
    assert.ok(isWriteArrow(request));
    const { WriteArrowRequest } = parca.profilestore.v1alpha1;
    return rowTexts(readRecord([WriteArrowRequest.decode(request).ipcBuffer]));
  });
}

test('a request has the rows, labels and frames of its profiles', async () => {
  const type = 'parca_agent:samples:count:cpu:nanoseconds@1000+5000/52631579';
  const stack = '[kernel.kallsyms][]0x0(do_syscall_64:0);/bin/app[ab]0x10()';
  assert.deepEqual(await readRecords([makeProfile('a')]), [
    [
      `${type} {comm=a|cpu=0} ${stack} 1`,
      `${type} {comm=a|cpu=1} ${stack} 2`,
      `${type} {comm=a|cpu=0} /bin/app[ab]0x10() 1`,
    ],
  ]);
  assert.deepEqual(await readRecords([]), []);
});

test('many profiles make several requests, and equal ones equal bytes', async () => {
  const make = () =>
    Array.from({ length: profilesPerRecordMax + 1 }, (_, i) => makeProfile(`${i}`));
  const records = await readRecords(make());
  assert.deepEqual(
    records.map((rows) => rows.length),
    [3 * profilesPerRecordMax, 3],
  );
  assert.deepEqual(encodeWriteArrow(make(), storeFrame), encodeWriteArrow(make(), storeFrame));
});

/** Starts a server with or without WriteArrow, and records the called methods. */
async function startSender(takesArrow: { now: boolean }) {
  const warnings: string[] = [];
  const calls: string[] = [];
  const note = (message: string): void => void warnings.push(message);
  const logger: Logger = {
    ...silentLogger,
    error: note,
    warn: note,
  };
  const files = new MemoryFiles(seededRandom(1));
  const queue = await RequestQueue.open({
    files,
    directory: '',
    memoryBytesMax: 1_000_000,
    diskBytesMax: 0,
    logger,
  });
  const server = {
    call: async (method: string) => {
      calls.push(method);
      if (method !== writeArrowMethod || takesArrow.now) return new Uint8Array(0);
      throw new AppError('unimplemented', 'cannot call WriteArrow: unknown method');
    },
  };
  const clock = createFakeClock();
  const common = { logger, metrics: noMetrics, random: seededRandom(2), clock };
  const limits = { callMillisMax: 1_000, arrow: arrowRequests, metricPrefix: 'parca_agent' };
  const sender = new Sender({ ...common, server, queue, ...limits });
  const send = async (): Promise<void> => {
    const profiles = [makeProfile('a')];
    const requests = sender.takesArrow
      ? encodeWriteArrow(profiles, storeFrame)
      : encodeWriteRaw(await compressProfiles(profiles), 1_000_000);
    for (const request of requests) queue.push(request);
    sender.notify();
    await clock.advance(1);
  };
  sender.start();
  await clock.advance(1);
  return { sender, queue, send, calls, warnings };
}

test('profiles go by WriteArrow where the server knows it', async () => {
  const { sender, send, calls, warnings } = await startSender({ now: true });
  await send();
  await sender.stop(1_000);
  assert.deepEqual(calls, [writeArrowMethod, writeArrowMethod]);
  assert.deepEqual(warnings, []);
});

test('a server without WriteArrow gets WriteRaw, which one line of the log says', async () => {
  const { sender, send, calls, warnings } = await startSender({ now: false });
  await send();
  await send();
  await sender.stop(1_000);
  assert.deepEqual(calls, [writeArrowMethod, writeRawMethod, writeRawMethod]);
  assert.deepEqual(warnings, ['the server does not know WriteArrow: WriteRaw is used']);
  assert.equal(sender.state().sentRequests, 2);
});

test('a server that forgets WriteArrow costs the requests that wait, and no more', async () => {
  const takesArrow = { now: true };
  const { sender, queue, send, calls, warnings } = await startSender(takesArrow);
  takesArrow.now = false;
  await send();
  await send();
  await sender.stop(1_000);
  assert.deepEqual(calls, [writeArrowMethod, writeArrowMethod, writeRawMethod]);
  assert.equal(warnings.length, 2);
  assert.equal(sender.state().refusedRequests, 1);
  assert.equal(queue.state().requests, 0);
});
