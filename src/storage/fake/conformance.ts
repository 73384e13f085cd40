// Tests that every implementation of the storage seam must pass; each implementation runs them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatProfileType } from '../../model/profile-type.ts';
import type { Storage } from '../interface.ts';
import { readSums } from './read-sums.ts';
import type { ReadSeries } from './read-selection.ts';
import { sampleTimeCases } from './sample-time-cases.ts';
import {
  append,
  cpu,
  labelsText,
  query,
  formatRows,
  rowsText,
  samples,
  wholeTime,
  write,
  type Labels,
  type Matcher,
  type Profile,
  type Row,
} from './short-profiles.ts';

/**
 * Declares the tests. `open` returns an empty store; `reopen`, if given, closes a store and opens
 * it again. `keepsSampleTimes` is false for a store that keeps only the times of profiles.
 */
export function storageConformance(
  name: string,
  open: () => Promise<Storage>,
  reopen?: (storage: Storage) => Promise<Storage>,
  { keepsSampleTimes = true } = {},
): void {
  const check = (title: string, body: (storage: Storage) => Promise<void>): void => {
    test(`${name}: ${title}`, async () => {
      const storage = await open();
      try {
        await body(storage);
      } finally {
        await storage.close();
      }
    });
  };
  exactnessCases(check, reopen);
  rowCases(check);
  visibilityCases(check);
  timeCases(check);
  matcherCases(check);
  sampleLabelCases(check);
  sampleTimeCases(check, keepsSampleTimes);
}

/** Returns the sums of the series that a query in short notation selects. */
function select(storage: Storage, asked: Parameters<typeof query>[0]): Promise<ReadSeries[]> {
  return readSums(storage, query(asked));
}

type Check = (title: string, body: (storage: Storage) => Promise<void>) => void;

function exactnessCases(check: Check, reopen?: (storage: Storage) => Promise<Storage>): void {
  const edges = [0n, 1n, -1n, 2n ** 31n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)];
  const extremes: Profile = {
    labels: { job: 'a' },
    time: 5n,
    rows: edges.map((value, i) => ({
      stack: `f${i};main`,
      values: [value, edges[edges.length - 1 - i]],
      ...(i % 2 === 0 ? {} : { labels: { thread: `t${i}` } }),
    })),
  };
  check('rows, totals and counts come back exactly, int64 to its edges', async (storage) => {
    await write(storage, extremes);
    const verify = async (store: Storage): Promise<void> => {
      const [first, second] = await select(store, {});
      for (const [valueColumn, series] of [first, second].entries()) {
        // Rows whose values are all 0 do not appear in sums.
        const rows = extremes.rows.filter(({ values }) => values[valueColumn] !== 0n);
        assert.equal(rowsText(series.profiles[0]), formatRows({ ...extremes, rows }, valueColumn));
      }
      const sum = BigInt.asIntN(
        64,
        edges.reduce((a, b) => a + b, 0n),
      );
      assert.deepEqual([first.profiles[0].total, second.profiles[0].total], [sum, sum]);
      assert.deepEqual([first.profiles[0].count, second.profiles[0].count], [6, 6]);
    };
    await verify(storage);
    if (!reopen) return;
    const again = await reopen(storage);
    await verify(again);
    await again.close();
  });
}

function rowCases(check: Check): void {
  check('an empty profile is a profile', async (storage) => {
    await write(storage, { labels: { job: 'a' }, time: 1n, rows: [] });
    const [series] = await select(storage, {});
    assert.deepEqual(
      series.profiles.map(({ rows }) => rows),
      [[]],
    );
  });

  check(
    'value columns that are multiples of another value column or of the period stay exact',
    async (storage) => {
      // A store may drop a row that is 0 for every sample type.
      const values = [3n, -5n, 12n, 2n ** 40n];
      for (const [time, factor, period] of [
        [1n, 10_000_000n, 10_000_000n],
        [2n, 1n, 1n],
        [3n, 4_096n, 524_288n],
        [4n, 2n ** 22n, 0n],
      ] as const) {
        const rows = values.map((value, i) => ({
          stack: `f${i}`,
          values: [value, BigInt.asIntN(64, value * factor)],
        }));
        const profile = { labels: { job: 'a' }, time, rows, period };
        await write(storage, profile);
        const [, nanos] = await select(storage, { from: time, to: time });
        const kept = { ...profile, rows: rows.filter((row) => row.values[0] !== 0n) };
        // A store may drop a row whose values are all 0.
        const text = rowsText(nanos.profiles[0]).replace('f1=0\n', '');
        assert.equal(text, formatRows(kept, 1));
        assert.equal(nanos.profiles[0].period, period);
      }
    },
  );

  check('large profiles keep every row', async (storage) => {
    const rows = Array.from({ length: 5_000 }, (_, i) => ({
      stack: `f${i % 97};g${i};main`,
      values: [BigInt(i + 1), BigInt(i * 7)],
    }));
    const profile = { labels: { job: 'a' }, time: 1n, rows };
    await write(storage, profile);
    const [counts] = await select(storage, {});
    assert.equal(counts.profiles[0].count, 5_000);
    assert.equal(rowsText(counts.profiles[0]), formatRows(profile, 0));
  });
}

function visibilityCases(check: Check): void {
  check('nothing is visible before commit, all of it after', async (storage) => {
    assert.equal(await storage.querier.hasData(), false);
    const appender = storage.appender();
    append(appender, { labels: { job: 'a' }, time: 1n, rows: [] });
    append(appender, { labels: { job: 'b' }, time: 1n, rows: [] });
    assert.equal(await storage.querier.hasData(), false);
    await appender.commit();
    assert.equal(await storage.querier.hasData(), true);
    assert.equal((await select(storage, {})).length, 4);
  });

  check('profiles that are not committed never appear', async (storage) => {
    const appender = storage.appender();
    append(appender, { labels: { job: 'a' }, time: 1n, rows: [] });
    await storage.appender().commit();
    assert.equal(await storage.querier.hasData(), false);
    assert.deepEqual(await storage.querier.labelNames(query({})), []);
    assert.deepEqual(await storage.querier.profileTypes(wholeTime), []);
  });

  check(
    'a retry is stored once, other content at the same time in addition to it',
    async (storage) => {
      const rows = [{ stack: 'main', values: [1n, 2n] }];
      const profile = { labels: { job: 'a' }, time: 1n, rows };
      await Promise.all([
        write(storage, { ...profile, hash: -1n }),
        write(storage, { ...profile, hash: -1n }),
      ]);
      await write(storage, { ...profile, hash: 2n ** 64n - 1n });
      assert.equal((await select(storage, {}))[0].profiles.length, 1);
      await write(storage, { ...profile, hash: 8n });
      assert.equal((await select(storage, {}))[0].profiles.length, 2);
      await write(storage, { ...profile, labels: { job: 'b' }, hash: 8n });
      assert.equal((await select(storage, {})).length, 4);
    },
  );
}

function timeCases(check: Check): void {
  check('both ends of a range belong to it, and time orders profiles', async (storage) => {
    let hash = 1n;
    for (const time of [30n, 10n, 20n, 40n, 20n]) {
      hash += 1n;
      await write(storage, { labels: { job: 'a' }, time, rows: [], hash });
    }
    const times = async (from: bigint, to: bigint): Promise<bigint[]> => {
      const [series] = await select(storage, { from, to });
      return (series?.profiles ?? []).map(({ timeNanos }) => timeNanos);
    };
    assert.deepEqual(await times(wholeTime.from, wholeTime.to), [10n, 20n, 20n, 30n, 40n]);
    assert.deepEqual(await times(20n, 30n), [20n, 20n, 30n]);
    assert.deepEqual(await times(21n, 29n), []);
    assert.deepEqual(await times(40n, 40n), [40n]);
    assert.deepEqual(await times(41n, 10n), []);
  });

  check('late profiles keep their columns together', async (storage) => {
    const order = Array.from({ length: 200 }, (_, i) => BigInt((i * 73) % 200));
    for (const time of order) {
      const rows = [{ stack: 'main', values: [time + 1n, 0n] }];
      await write(storage, { labels: { job: 'a' }, time, rows, duration: time + 7n, period: time });
    }
    const [{ profiles }] = await select(storage, {});
    assert.equal(profiles.length, 200);
    profiles.forEach((profile, at) => {
      const i = BigInt(at);
      const { timeNanos, durationNanos, period, total } = profile;
      assert.deepEqual([timeNanos, durationNanos, period, total], [i, i + 7n, i, i + 1n]);
      assert.equal(rowsText(profile), `main=${i + 1n}`);
    });
  });

  check('profile types honour the range; delta and sample types make types', async (storage) => {
    const labels = { job: 'a' };
    await write(storage, { labels, time: 1n, rows: [], duration: 1n });
    await write(storage, { labels, time: 100n, rows: [], duration: 0n, sampleTypes: [cpu] });
    await write(storage, { labels, time: 200n, rows: [], name: 'memory', sampleTypes: [samples] });
    const texts = async (from: bigint, to: bigint): Promise<string[]> =>
      (await storage.querier.profileTypes({ from, to })).map(formatProfileType);
    assert.deepEqual(await texts(0n, 99n), [
      'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta',
      'process_cpu:samples:count:cpu:nanoseconds:delta',
    ]);
    assert.deepEqual(await texts(100n, 200n), [
      'memory:samples:count:cpu:nanoseconds:delta',
      'process_cpu:cpu:nanoseconds:cpu:nanoseconds',
    ]);
    const type = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
    const selected = await select(storage, { type });
    assert.deepEqual(
      selected.map(({ profileType }) => formatProfileType(profileType)),
      [type],
    );
    assert.deepEqual(await select(storage, { type: 'process_cpu:cpu:seconds:cpu:seconds' }), []);
  });
}

function matcherCases(check: Check): void {
  const fleet: readonly Profile[] = [
    { labels: { job: 'api', zone: 'eu' }, time: 1n, rows: [] },
    { labels: { job: 'api', zone: 'us' }, time: 2n, rows: [] },
    { labels: { job: 'web' }, time: 3n, rows: [] },
    { labels: { job: 'db', zone: 'eu', role: 'primary' }, time: 4n, rows: [], name: 'memory' },
  ];
  const found = async (storage: Storage, ...matchers: Matcher[]): Promise<string> => {
    const series = await select(storage, { matchers });
    const counts = series.filter(({ profileType }) => profileType.sample.type === 'samples');
    const texts = counts.map(({ labels }) => labelsText(labels));
    return texts.sort().join(' ');
  };

  check('matchers follow Prometheus: anchored, absent is empty', async (storage) => {
    for (const profile of fleet) await write(storage, profile);
    const want = async (expected: string, ...matchers: Matcher[]): Promise<void> => {
      assert.equal(await found(storage, ...matchers), expected, JSON.stringify(matchers));
    };
    const [eu, us, web, db] = ['job=api,zone=eu', 'job=api,zone=us', 'job=web', ''];
    const primary = 'job=db,role=primary,zone=eu';
    assert.equal(db, '');
    await want([eu, us, primary, web].join(' '));
    await want([eu, us].join(' '), ['job', '=', 'api']);
    await want([primary, web].join(' '), ['job', '!=', 'api']);
    await want(web, ['zone', '=', '']);
    await want([eu, us, primary].join(' '), ['zone', '!=', '']);
    await want([us, web].join(' '), ['zone', '!=', 'eu']);
    await want([eu, us].join(' '), ['job', '=~', 'a.*']);
    await want('', ['job', '=~', 'a']);
    await want([eu, primary, web].join(' '), ['zone', '=~', 'eu|']);
    await want([us].join(' '), ['zone', '!~', 'eu|']);
    await want([eu, us, primary, web].join(' '), ['absent', '=', '']);
    await want('', ['absent', '!=', '']);
    await want(primary, ['zone', '=', 'eu'], ['job', '!~', 'api']);
    await want(primary, ['__name__', '=', 'memory']);
    await want('', ['job', '=', 'api'], ['job', '=', 'web']);
  });

  check('names and values honour matchers, type and range', async (storage) => {
    for (const profile of fleet) await write(storage, profile);
    const { querier } = storage;
    assert.deepEqual(await querier.labelNames(query({})), ['job', 'role', 'zone']);
    assert.deepEqual(await querier.labelNames(query({ from: 1n, to: 3n })), ['job', 'zone']);
    assert.deepEqual(await querier.labelValues('job', query({})), ['api', 'db', 'web']);
    const inEurope = query({ matchers: [['zone', '=', 'eu']] });
    assert.deepEqual(await querier.labelValues('job', inEurope), ['api', 'db']);
    const type = 'memory:samples:count:cpu:nanoseconds:delta';
    assert.deepEqual(await querier.labelValues('job', query({ type })), ['db']);
    assert.deepEqual(await querier.labelValues('absent', query({})), []);
    assert.deepEqual(await querier.labelNames(query({ from: 9n, to: 10n })), []);
  });
}

function sampleLabelCases(check: Check): void {
  check('labels of samples decide row by row where the series lacks them', async (storage) => {
    const row = (stack: string, labels?: Labels): Row => ({
      stack,
      values: [1n, 10n],
      ...(labels ? { labels } : {}),
    });
    const rows = [row('a', { thread: 'x' }), row('b', { thread: 'y' }), row('c')];
    await write(storage, { labels: { job: 'mixed' }, time: 1n, rows });
    await write(storage, { labels: { job: 'own', thread: 'x' }, time: 1n, rows });
    await write(storage, { labels: { job: 'none' }, time: 1n, rows: [row('d')] });
    await write(storage, { labels: { job: 'mixed' }, time: 5n, rows: [row('e', { thread: 'z' })] });
    const rowsWith = async (...matchers: Matcher[]): Promise<string[]> => {
      const texts: string[] = [];
      for (const series of await select(storage, { matchers })) {
        if (series.profileType.sample.type !== 'samples') continue;
        const job = series.labels[0].value;
        for (const profile of series.profiles) {
          const text = rowsText(profile);
          if (text !== '') texts.push(`${job}: ${text.replaceAll('\n', ' ')}`);
        }
      }
      return texts.sort();
    };
    // Labels of a series take precedence over labels of its samples.
    const own = 'own: a=1 b=1 c=1';
    assert.deepEqual(await rowsWith(['thread', '=', 'x']), ['mixed: a{thread=x}=1', own]);
    assert.deepEqual(await rowsWith(['thread', '!=', 'x']), [
      'mixed: b{thread=y}=1 c=1',
      'mixed: e{thread=z}=1',
      'none: d=1',
    ]);
    assert.deepEqual(await rowsWith(['thread', '=', '']), ['mixed: c=1', 'none: d=1']);
    assert.deepEqual(await rowsWith(['thread', '=~', '[yz]']), [
      'mixed: b{thread=y}=1',
      'mixed: e{thread=z}=1',
    ]);
    assert.deepEqual(await rowsWith(['thread', '=', 'x'], ['thread', '!=', 'x']), []);
    const { querier } = storage;
    assert.deepEqual(await querier.labelNames(query({})), ['job', 'thread']);
    assert.deepEqual(await querier.labelValues('thread', query({})), ['x', 'y', 'z']);
    assert.deepEqual(await querier.labelValues('thread', query({ to: 1n })), ['x', 'y']);
    const notX = query({ matchers: [['thread', '!=', 'x']] });
    assert.deepEqual(await querier.labelValues('thread', notX), ['y', 'z']);
    assert.deepEqual(await querier.labelValues('job', notX), ['mixed', 'none']);
  });
}
