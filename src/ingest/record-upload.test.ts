// Tests that Arrow writes of all sizes are stored as the same profiles by a worker and by the main
// thread.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finishAtOnce } from '../base/pacer.ts';
import { encodeRecord, type RecordProfile } from '../formats/parca-arrow/encode-record.ts';
import type { Label } from '../model/labels.ts';
import { uploadOfRecord } from './record-upload.ts';
import { nowMillis, setUpSplit } from './testing/write-path.ts';

const timeNanos = 1_790_000_000_000_000_000n;
const external = [{ name: 'region', value: 'eu' }];

/** Returns a profile of a program with stacks of its own. */
function makeProfile(comm: string, stackCount: number, frameCount = 3): RecordProfile {
  const makeFrame = (systemName: string) => ({
    mappingFile: 'app',
    buildId: 'b',
    address: 0n,
    lines: [{ fileName: 'a.c', startLine: 1, line: 7, column: 0, systemName }],
  });
  return {
    name: 'parca_agent',
    sampleType: { type: 'samples', unit: 'count' },
    periodType: { type: 'cpu', unit: 'nanoseconds' },
    period: 52_631_578n,
    timeNanos,
    durationNanos: 1_000_000_000n,
    samples: Array.from({ length: stackCount }, (_, i) => ({
      labels: [
        { name: 'comm', value: comm },
        { name: 'node', value: 'n1' },
        { name: 'cpu', value: String(i % 4) },
      ],
      frames: Array.from({ length: frameCount }, (_one, depth) => makeFrame(`f${i}_${depth}`)),
      value: BigInt(i + 1),
    })),
  };
}

test('an Arrow write is interned by the worker if its bytes or its rows are many', async () => {
  const check = async (profile: RecordProfile, isMoved: boolean): Promise<number> => {
    const stream = encodeRecord([profile, makeProfile('other', 2)], undefined);
    const path = setUpSplit(external);
    const labels: Label[] = [];
    await path.ingester.writeRecord([stream], {
      caller: 'me',
      onLabels: (some) => labels.push(...some),
    });
    assert.equal(path.moved(), isMoved ? 1 : 0);
    assert.equal(path.storage.profiles.length, 2);
    assert.ok(labels.some(({ name, value }) => name === 'node' && value === 'n1'));
    const other = setUpSplit(external);
    // Here, the write takes the other path, which was not chosen for its size.
    const upload = await uploadOfRecord([stream], external, 'me', BigInt(nowMillis) * 1_000_000n);
    const appender = other.storage.appender();
    const batch = await other.decoder.decode([upload], () => appender.dictionary, {
      isLarge: true,
    });
    assert.equal((await batch.carry?.(() => true)) ?? true, true);
    finishAtOnce(batch.appendTo((one) => appender.append(one)));
    await appender.commit();
    const facts = ({ storage }: typeof path) =>
      storage.profiles.map(({ stacks, ...rest }) => ({ ...rest, count: new Set(stacks).size }));
    assert.deepEqual(facts(path), facts(other));
    return stream.length;
  };
  await check(makeProfile('small', 20), false);
  assert.ok((await check(makeProfile('many', 2_500, 1), true)) > 128 * 1024);
  await assert.rejects(setUpSplit(external).ingester.writeRecord([new Uint8Array(200_000)]), {
    code: 'invalid-argument',
  });
});

test('the streams of a large Arrow write are put together in many turns', async () => {
  const streams = [1, 2].map((fill) => Buffer.alloc(16 << 20, fill));
  let [turns, isOver] = [0, false];
  const turn = (): void => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const { profile, record } = await uploadOfRecord(streams, external, 'me', 0n);
  isOver = true;
  assert.ok(turns >= 8, `${turns} turns`);
  assert.deepEqual(record.streamLengths, [16 << 20, 16 << 20]);
  assert.ok(Buffer.concat(streams).equals(profile));
});
