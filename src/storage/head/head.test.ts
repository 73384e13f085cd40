// Tests of a head: which profiles it accepts and refuses, and which sample labels it knows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteReader, ByteWriter } from '../../base/bytes.ts';
import type { Clock } from '../../base/clock.ts';
import { finishAtOnce } from '../../base/pacer.ts';
import { Dictionary } from '../../model/dictionary.ts';
import { createMatcher } from '../../model/matcher.ts';
import type { StringIndex } from '../../model/rows.ts';
import { Head } from './head.ts';
import { HeadPart } from './head-part.ts';
import { RowlessSlice } from '../selection.ts';
import { encodeProfile } from './profile-codec.ts';
import {
  applyProfile,
  encodeForHead,
  keyOfProfile,
  type HeadProfile,
} from '../testing/fill-head.ts';

const newHead = (): Head => new Head(new Dictionary([1, 2, 3]), 65_536);
const wholeTime = { from: -(2n ** 63n), to: 2n ** 63n - 1n };

test('an idle series takes a quarter of a kilobyte', () => {
  const head = newHead();
  const before = head.usedBytes;
  const count = 40_000;
  for (let i = 0; i < count; i += 1) {
    const labels = { instance: `host-${i}`, job: `job-${i % 50}`, zone: `z${i % 3}` };
    applyProfile(head, { labels, time: BigInt(i), rows: [[1, 0, 5n]] });
  }
  assert.equal(head.streamCount, count);
  const bytes = (head.usedBytes - before) / count;
  assert.ok(bytes > 100 && bytes < 256, `${bytes} bytes`);
});

test('profiles of unknown streams and of other shapes are refused', () => {
  const head = newHead();
  const profile: HeadProfile = { labels: { job: 'a' }, time: 1n, rows: [[1, 0, 5n]] };
  const ref = head.internStream(keyOfProfile(profile));
  const apply = (stream: number, valueColumns: number): string => {
    const writer = new ByteWriter(64);
    encodeProfile(writer, stream, {
      ...keyOfProfile({ ...profile, valueColumns }),
      period: 1n,
      timeNanos: 1n,
      durationNanos: 1n,
      rowCount: 1,
      stacks: Uint32Array.of(1),
      values: Array.from({ length: valueColumns }, () => BigInt64Array.of(5n)),
      sampleLabels: undefined,
      contentHash: 1n,
    });
    return head.apply(new ByteReader(writer.bytes, 4, writer.length));
  };
  assert.equal(apply(ref + 1, 1), 'no-stream');
  assert.throws(() => apply(ref, 2), /cannot apply profile: it has 2 values a row/);
  assert.deepEqual([head.profileCount, head.arena.usedBytes], [0, 0]);
  assert.equal(apply(ref, 1), 'stored');
  assert.equal(apply(ref, 1), 'known');
});

test('a profile of very many rows is staged in steps, and visible after them at once', () => {
  const head = newHead();
  const rowCount = 70_000;
  const profile: HeadProfile = { labels: { job: 'a' }, time: 1n, rows: [] };
  const { strings, sampleLabels } = head.dictionary;
  const key = strings.internText('number');
  const none = 0 as StringIndex;
  const labels = Uint32Array.from({ length: rowCount }, (_, i) => {
    return sampleLabels.intern([{ key, text: none, number: BigInt(i), unit: none }]);
  });
  const ref = head.internStream(keyOfProfile(profile));
  const writer = new ByteWriter(64);
  encodeProfile(writer, ref, {
    ...keyOfProfile(profile),
    period: 1n,
    timeNanos: 1n,
    durationNanos: 1n,
    rowCount,
    stacks: new Uint32Array(rowCount).fill(1),
    values: [BigInt64Array.from(labels, BigInt)],
    sampleLabels: labels,
    contentHash: 1n,
  });
  const stage = () => head.stage(new ByteReader(writer.bytes, 4, writer.length));
  const steps = stage();
  let count = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) {
    assert.deepEqual([head.profileCount, head.rowCount, [...head.refs()]], [0, 0, []]);
    assert.equal(head.spanIn(ref, wholeTime), undefined);
    count += 1;
  }
  assert.ok(count >= 20, `${count} steps`);
  assert.ok(typeof step.value !== 'string');
  const again = finishAtOnce(stage());
  assert.ok(typeof again !== 'string');
  assert.equal(head.show(step.value), 'stored');
  assert.equal(head.show(again), 'known');
  assert.equal(finishAtOnce(stage()), 'known');
  assert.deepEqual([head.profileCount, head.rowCount], [1, rowCount]);
  const span = head.spanIn(ref, wholeTime);
  const sum = labels.reduce((total, row) => total + BigInt(row), 0n);
  assert.equal(span?.columns.total[0][span.first], sum);
  assert.equal(span.columns.count[0][span.first], rowCount);
  assert.deepEqual([...head.samples.labelRows(ref)], [...labels]);
});

test('labels of samples are known by stream, whether rows had some before or not', async () => {
  const head = newHead();
  const { strings, sampleLabels } = head.dictionary;
  const internLabel = (name: string, value: string): number => {
    const [key, text] = [strings.internText(name), strings.internText(value)];
    return sampleLabels.intern([{ key, text, number: 0n, unit: 0 as StringIndex }]);
  };
  const main = internLabel('thread', 'main');
  const worker = internLabel('thread', 'worker');
  const add = (job: string, time: bigint, ...labelRows: readonly number[]): void => {
    applyProfile(head, {
      labels: { job },
      time,
      rows: labelRows.map((row, i) => [i + 1, row, 1n]),
    });
  };
  add('late', 1n, 0, 0);
  add('late', 2n, 0, main);
  add('only', 1n, main);
  add('none', 1n, 0);
  add('both', 2n, worker, worker);
  add('both', 3n, 0);
  const listLabelRows = (job: string): number[] => {
    const ref = head.findStream(keyOfProfile({ labels: { job }, time: 0n, rows: [] }));
    return [...head.samples.labelRows(ref)];
  };
  assert.deepEqual(listLabelRows('late'), [0, main]);
  assert.deepEqual(listLabelRows('only'), [main]);
  assert.deepEqual(listLabelRows('none'), []);
  assert.deepEqual(listLabelRows('both'), [0, worker]);

  // All profiles of a batch are staged before any of them becomes visible.
  const staged = [[0], [main]].map((labelRows, i) => {
    const rows = labelRows.map((row) => [1, row, 1n] as const);
    const profile = { labels: { job: 'batch' }, time: 10n + BigInt(i), rows };
    return finishAtOnce(head.stage(encodeForHead(head, profile)));
  });
  for (const one of staged) if (typeof one !== 'string') head.show(one);
  assert.deepEqual(listLabelRows('batch'), [0, main]);

  const part = new HeadPart('head', head);
  const query = (value: string, range = wholeTime) => ({
    matchers: [createMatcher('thread', '=', value)],
    profileType: undefined,
    range,
  });
  const jobs = async (value: string): Promise<unknown> => {
    const series = await part.select(query(value), 0);
    return series.map(({ labels: [{ value: job }], slices: [slice] }) => {
      if (slice instanceof RowlessSlice) return `${job} rowless`;
      return `${job}${slice.rowFilter === undefined ? '' : ' filtered'}`;
    });
  };
  assert.deepEqual(await jobs('main'), ['late filtered', 'only', 'both rowless', 'batch filtered']);
  assert.deepEqual(await jobs('worker'), [
    'late rowless',
    'only rowless',
    'both filtered',
    'batch rowless',
  ]);
  assert.deepEqual(await jobs('none'), [
    'late rowless',
    'only rowless',
    'both rowless',
    'batch rowless',
  ]);
  const all = { matchers: [], profileType: undefined, range: wholeTime };
  assert.deepEqual([...(await part.labelValues('thread', all))].sort(), ['main', 'worker']);
  const first = { ...all, range: { from: 1n, to: 1n } };
  assert.deepEqual([...(await part.labelValues('thread', first))], ['main']);
  assert.deepEqual([...(await part.labelNames(first))].sort(), ['job', 'thread']);
});

test('rows that are written while a query selects are where it says', async () => {
  const head = newHead();
  const write = (job: string, time: bigint, rowCount: number): void => {
    const rows = Array.from({ length: rowCount }, (_, i) => [i + 1, 0, time] as const);
    applyProfile(head, { labels: { job }, time, rows });
  };
  write('a', 1n, 1);
  write('b', 2n, 1);
  // The clock advances by a second at each reading, so a query pauses after every series, and each
  // pause adds a segment.
  let now = 0;
  const clock: Clock = {
    nowNanos: () => 0n,
    nowMillis: () => 0,
    monotonicMillis: () => (now += 1_000),
    setTimer: (_, fire) => {
      write('b', BigInt(now), 8_000);
      queueMicrotask(fire);
      return { cancel: () => undefined };
    },
  };
  const part = new HeadPart('head', head, clock);
  const series = await part.select({ matchers: [], profileType: undefined, range: wholeTime }, 0);
  for (const { slices } of series) {
    const profiles = await slices[0].profiles();
    const values: bigint[] = [];
    for (const source of await slices[0].rows(true)) {
      assert.ok(source.kind === 'runs');
      for (let i = 0; i < source.profileCount; i += 1) {
        const { values: stored } = source.segments[source.runSegment[i]];
        values.push(stored[source.runOffset[i]]);
      }
    }
    // The value of each row is the time of its profile.
    assert.deepEqual(values, [...profiles.timeNanos]);
  }
  assert.ok(head.arena.segments.length > 2);
});

test('streams that come while a query selects do not hide those that were there', async () => {
  const head = newHead();
  const write = (job: string, valueColumns: number): void => {
    const values = Array.from({ length: valueColumns }, () => 5n);
    applyProfile(head, { labels: { job }, time: 1n, valueColumns, rows: [[1, 0, ...values]] });
  };
  write('a', 1);
  write('b', 1);
  const part = new HeadPart('head', head);
  const all = { matchers: [], profileType: undefined, range: wholeTime };
  const selecting = part.select(all, 0);
  // When the list of streams of this shape grows, it moves to larger memory. The list of another
  // shape then takes its old memory.
  write('c', 1);
  write('d', 2);
  write('e', 2);
  const jobs = (await selecting).map(({ labels: [{ value }] }) => value);
  assert.deepEqual(jobs, ['a', 'b']);
});
