// Tests of ranked changes, with numbers worked out by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProfileType } from '../../model/profile-type.ts';
import type { StringIndex } from '../../model/rows.ts';
import type { BaseScale } from '../../report/base-ratio.ts';
import { plainView } from '../../report/stacks/stack-view.ts';
import type { ProfileSelector, Report, ReportQuestion } from '../interface.ts';
import { cpuText, createEngine, rejects } from '../testing/ask.ts';
import { TestStore } from '../testing/test-store.ts';

const cpu = parseProfileType(cpuText);
/** Period of all samples, in nanoseconds. */
const period = 10n;

/** Returns profiles of two versions: main calls both a and b; r calls itself. */
function makeStore(base: string, compared: string, baseSeconds = 1n): TestStore {
  const store = new TestStore();
  const common = { type: cpu, period, timeNanos: 1n };
  const second = 1_000_000_000n;
  const durationNanos = baseSeconds * second;
  store.add({ ...common, durationNanos, labels: { version: '1' }, rows: base });
  store.add({ ...common, durationNanos: second, labels: { version: '2' }, rows: compared });
  return store;
}

type ChangesReport = Extract<Report, { kind: 'changes' }>;

async function askForChanges(
  store: TestStore,
  baseScale: BaseScale,
  asked: Partial<ReportQuestion> = {},
): Promise<ChangesReport> {
  const side = (version: string): ProfileSelector => ({
    mode: 'merge',
    query: `${cpuText}{version="${version}"}`,
    range: { from: 0n, to: 10n },
  });
  const report = await createEngine(store).report(
    {
      select: { mode: 'diff', base: side('1'), compared: side('2'), baseScale },
      report: 'changes',
      nodeTrimFraction: 0,
      rootTrimFraction: 0,
      groupBy: [],
      ...asked,
    },
    { signal: new AbortController().signal },
  );
  assert.ok(report.kind === 'changes');
  return report;
}

/**
 * Formats "name flat+difference cumulative+difference" for each function, with a line "--" before
 * insignificant changes.
 */
function printChanges({ changes }: ChangesReport): string[] {
  const { functions, flat, cumulative, significantCount } = changes;
  const signed = (value: bigint): string => (value < 0n ? String(value) : `+${value}`);
  const lines = Array.from({ length: functions.rowCount }, (_, row) => {
    const name = functions.dictionary.strings.text(functions.name[row] as StringIndex);
    const own = `${flat.base[row]}${signed(flat.difference[row])}`;
    return `${name} ${own} ${cumulative.base[row]}${signed(cumulative.difference[row])}`;
  });
  return [...lines.slice(0, significantCount), '--', ...lines.slice(significantCount)];
}

test('functions by their own difference, followed by those whose change may be chance', async () => {
  const store = makeStore(
    `main;a 500\nmain;b 200\nmain 30\nmain;r;r 100`,
    `main;a 900\nmain;b 210\nmain;new 60\nmain 30`,
  );
  const report = await askForChanges(store, 'none');
  // For each function, its numbers of samples, and the largest difference that chance can explain:
  // a 50 -> 90, 1.96 * sqrt(142) = 23.4; r 10 -> 0, 6.8; new 0 -> 6, 5.5; b 20 -> 21, 12.8.
  assert.deepEqual(printChanges(report), [
    'a 500+400 500+400',
    'r 100-100 100-100',
    'new 0+60 0+60',
    '--',
    'b 200+10 200+10',
    'main 30+0 830+370',
  ]);
  const { changes, total, base, difference, sampleCount } = report;
  assert.deepEqual([total, base?.total, difference], [1200n, 830n, 370n]);
  assert.deepEqual([sampleCount, base?.sampleCount], [120n, 83n]);
  assert.deepEqual([...changes.flat.comparedSamples], [90, 0, 6, 21, 3]);
  assert.deepEqual([...changes.flat.baseSamples], [50, 10, 0, 20, 3]);
  assert.ok(Math.abs(changes.flat.halfWidth[0] - 19.6 * Math.sqrt(142)) < 1e-9);
});

test('by cumulative values, main has changed: 83 -> 120 samples, 28.1 is chance', async () => {
  const store = makeStore(`main;a 500\nmain;b 300\nmain 30`, `main;a 900\nmain;b 270\nmain 30`);
  const report = await askForChanges(store, 'none', { measure: 'cumulative' });
  assert.deepEqual(printChanges(report), [
    'a 500+400 500+400',
    'main 30+0 830+370',
    '--',
    'b 300-30 300-30',
  ]);
});

test('a base of two seconds is halved, shares are those of the total', async () => {
  const store = makeStore(`a 1000\nb 1000`, `a 900\nb 500`, 2n);
  assert.deepEqual(printChanges(await askForChanges(store, 'time')), [
    'a 1000+400 1000+400',
    '--',
    'b 1000+0 1000+0',
  ]);
  // 1000 of 2000 is the same share as 700 of 1400, so a grows by 200 and b shrinks by 200. Each of
  // the 140 samples represents 10.
  const shares = await askForChanges(store, 'total');
  assert.deepEqual(printChanges(shares), ['a 1000+200 1000+200', 'b 1000-200 1000-200', '--']);
  const variance = ((91 / 142) * (51 / 142)) / 142 + ((101 / 202) * (101 / 202)) / 202;
  assert.ok(Math.abs(shares.changes.flat.halfWidth[0] - 1400 * 1.96 * Math.sqrt(variance)) < 1e-9);
});

test('filters leave functions out, and keep the samples that shares are of', async () => {
  const store = makeStore(`a 1000\nb 1000`, `a 900\nb 500`);
  const view = { ...plainView, sandwich: 'a' };
  const report = await askForChanges(store, 'total', { view });
  assert.deepEqual(printChanges(report), ['a 1000+200 1000+200', '--']);
  assert.deepEqual([report.total, report.base?.total, report.difference], [900n, 1000n, 200n]);
});

test('an absent base: that of the query, else the preceding time', async () => {
  const store = new TestStore();
  const add = (timeNanos: bigint, version: string, rows: string): void => {
    store.add({ type: cpu, period, timeNanos, durationNanos: 1n, labels: { version }, rows });
  };
  add(9n, '1', 'a 9000');
  add(10n, '1', 'a 1000');
  add(19n, '2', 'a 100');
  add(20n, '1', 'a 400');
  add(29n, '2', 'a 700\nb 300');
  const ask = (query: string): Promise<ChangesReport> => {
    const compared = { mode: 'merge', query, range: { from: 20n, to: 29n } } as const;
    return askForChanges(store, 'none', { select: { mode: 'diff', compared, baseScale: 'none' } });
  };
  // Both ends belong to a range: 20 .. 29 follows 10 .. 19.
  assert.deepEqual(printChanges(await ask(cpuText)), ['b 0+300 0+300', '--', 'a 1100+0 1100+0']);
  const versions = `diff(${cpuText}{version="1"}, ${cpuText}{version="2"})`;
  assert.deepEqual(printChanges(await ask(versions)), ['a 400+300 400+300', 'b 0+300 0+300', '--']);
  assert.deepEqual(printChanges(await ask(`${versions} | focus "b"`)), ['b 0+300 0+300', '--']);
  const nested = { mode: 'merge', query: versions, range: { from: 0n, to: 9n } } as const;
  const select = { mode: 'diff', compared: nested, base: nested, baseScale: 'none' } as const;
  await rejects(
    askForChanges(store, 'none', { select }),
    'invalid-argument',
    /a diff has no diffs/,
  );
});

test('a side without profiles', async () => {
  const store = makeStore(`a 1000`, ``);
  assert.deepEqual(printChanges(await askForChanges(store, 'time')), [
    'a 1000-1000 1000-1000',
    '--',
  ]);
  assert.deepEqual(printChanges(await askForChanges(new TestStore(), 'none')), ['--']);
});

test('without a base, a time of the range is compared with the time before it', async () => {
  const store = new TestStore();
  for (let time = 0; time < 10; time += 1) {
    const value = time < 6 ? 100 : 300;
    const common = { type: cpu, period, timeNanos: BigInt(time), durationNanos: 1n };
    store.add({ ...common, rows: `main;a ${value}` });
  }
  const asked = async (times: string): Promise<unknown> => {
    const query = `${cpuText}${times}`;
    const compared: ProfileSelector = { mode: 'merge', query, range: { from: 0n, to: 9n } };
    const select = { mode: 'diff', base: undefined, compared, baseScale: 'none' } as const;
    const { total, base } = await askForChanges(store, 'none', { select });
    return [total, base?.total, base?.timeNanos, base?.profileCount];
  };
  assert.deepEqual(await asked(' @ 0.000000006 to 0.000000008'), [900n, 300n, 3n, 3]);
  assert.deepEqual(await asked(' @ 0.000000008 to 0.000000020'), [600n, 600n, 6n, 2]);
  assert.deepEqual(await asked(' @ 5 to 7'), [0n, 0n, -10n, 0]);
  assert.deepEqual(await asked(''), [1800n, 0n, -10n, 0]);
});
