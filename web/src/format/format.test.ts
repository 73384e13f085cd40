// Tests of numbers, units, measures and profile type names.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { friendlyName } from '../../../src/model/friendly-type.ts';
import * as measures from './measure.ts';
import * as numbers from './numbers.ts';
import * as types from './profile-type.ts';

const plain = (text: string | undefined) =>
  text?.replaceAll('\u202f', ' ').replaceAll('\u2212', '-');

test('percentages', () => {
  const cases: readonly (readonly [number, string])[] = [
    [1, '100 %'],
    [0.9996, '100 %'],
    [0.124, '12.4 %'],
    [0.0124, '1.2 %'],
    [0.0037, '0.37 %'],
    [0.001, '0.10 %'],
    [0.00003, '<0.01 %'],
    [1e-12, '<0.01 %'],
    [0, '0 %'],
  ];
  for (const [share, want] of cases) assert.equal(plain(numbers.formatPercent(share)), want);
});

test('changes are not shares: they may pass 100 %', () => {
  const cases: readonly (readonly [number, string])[] = [
    [3.17, '+317 %'],
    [1, '+100 %'],
    [0.9996, '+100 %'],
    [0.958, '+95.8 %'],
    [-0.31, '-31.0 %'],
    [-1, '-100 %'],
    [123.4, '+12.3 k %'],
    [0, '±0 %'],
    [-0.00001, '-<0.01 %'],
  ];
  for (const [share, want] of cases) assert.equal(plain(numbers.formatChange(share)), want);
});

test('counts, bytes, durations, cores', () => {
  const cases: readonly (readonly [string, string])[] = [
    [numbers.formatCount(9_812), '9 812'],
    [numbers.formatCount(66_214n), '66.2 k'],
    [numbers.formatCount(999_999), '1.00 M'],
    [numbers.formatCount(0.25), '0.250'],
    [numbers.groupDigits(-1_234_567n), '-1 234 567'],
    [numbers.formatBytes(0), '0 B'],
    [numbers.formatBytes(1_300_000_000n), '1.21 GiB'],
    [numbers.formatBytes(1_024), '1.00 KiB'],
    [numbers.formatNanos(84_000_000n), '84.0 ms'],
    [numbers.formatNanos(72_000_000_000n), '1 min 12 s'],
    [numbers.formatNanos(6_624_000_000_000n), '1.84 h'],
    [numbers.formatNanos(950), '950 ns'],
    [numbers.formatElapsed(420), '0.4 s'],
    [numbers.formatElapsed(12_040), '12.0 s'],
    [numbers.formatElapsed(72_000), '1 min 12 s'],
    [numbers.formatCores(1.84), '1.84 cores'],
    [numbers.formatCores(0.0042), '4.20 mcores'],
    [numbers.formatSignificant(-31.26), '-31.3'],
  ];
  for (const [got, want] of cases) assert.equal(plain(got), want);
});

const cpu = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';

test('measures and their units', () => {
  const rate = (type: string, value: bigint, coverage: measures.Coverage) =>
    plain(measures.formatRate(value, measures.parseMeasure(type), coverage));
  const ten = { seconds: 10, snapshots: 4, samples: 1_000, period: 0 };
  assert.equal(rate(cpu, 18_400_000_000n, ten), '1.84 cores');
  assert.equal(
    rate('parca_agent:samples:count:cpu:nanoseconds:delta', 10_000_000_000n, ten),
    '1.00 cores',
  );
  assert.equal(
    rate('mutex:delay:nanoseconds:contentions:count:delta', 32_000_000_000n, ten),
    '3.20 s/s',
  );
  // `increase` changes the meaning of a duration, too.
  const waited = measures.parseMeasure('mutex:delay:nanoseconds:contentions:count', true);
  assert.equal(plain(measures.formatRate(5_000_000_000n, waited, ten)), '0.500 s/s');
  assert.equal(measures.perSecondFactor('mutex:delay:nanoseconds:contentions:count', waited), 1e-9);
  assert.equal(rate('memory:alloc_space:bytes:space:bytes:delta', 503_316_480n, ten), '48.0 MiB/s');
  assert.equal(rate('memory:inuse_space:bytes:space:bytes', 4n * 1_073_741_824n, ten), '1.00 GiB');
  assert.equal(rate('goroutine:goroutine:count:goroutine:count', 48n, ten), '12');
  assert.equal(rate(cpu, 1n, measures.unknownCoverage), undefined);
});

test('samples and their error', () => {
  const plainSamples = (text: string | undefined) => text?.replaceAll('\u202f', ' ');
  const of = (samples: number, type = cpu, period = 10) =>
    plainSamples(
      measures.formatSamples(
        { ...measures.unknownCoverage, samples, period },
        measures.parseMeasure(type),
      ),
    );
  assert.equal(of(1), '1 sample, ±100 %');
  assert.equal(of(812), '812 samples, ±3.5 %');
  assert.equal(of(66_200), '66.2 k samples');
  assert.equal(of(0), undefined);
  assert.equal(of(12, 'parca_agent:samples:count:cpu:nanoseconds:delta'), '12 samples, ±28.9 %');
  assert.equal(of(12, 'mutex:delay:nanoseconds:contentions:count:delta'), undefined);
  assert.equal(of(12, 'goroutine:goroutine:count:goroutine:count'), undefined);
  assert.equal(
    of(812, cpu, 0),
    '812 samples',
    'of several periods the error is not that of counting',
  );

  const part = (value: bigint, period: number) =>
    plainSamples(
      measures.formatSamplesPart(
        value,
        { ...measures.unknownCoverage, samples: 1_000, period },
        measures.parseMeasure(cpu),
      ),
    );
  assert.equal(part(8_120n, 10), '812 samples, ±3.5 %');
  assert.equal(part(609n, 10), '60 samples, ±12.9 %');
  assert.equal(part(8_120n, 0), undefined);
});

test('the profile type opened first', () => {
  const heap = 'memory:inuse_space:bytes:space:bytes';
  const agent = 'parca_agent:samples:count:cpu:nanoseconds:delta';
  assert.equal(types.bestProfileType([heap, agent, cpu]), cpu);
  assert.equal(types.bestProfileType([heap, agent]), agent);
  assert.equal(types.bestProfileType([heap]), heap);
  assert.equal(types.bestProfileType([]), undefined);
});

test('types have friendly names', () => {
  assert.equal(friendlyName(cpu), 'CPU time');
  assert.equal(friendlyName('my_thing:events:count:a:b'), 'my thing events (count)');
});

test('a list of moments has shares and averages, and no sums', () => {
  const heap = measures.parseMeasure('memory:inuse_space:bytes:space:bytes');
  const cpu = measures.parseMeasure('process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta');
  assert.deepEqual(
    [measures.listUnits(heap), measures.listUnits(cpu)].map((units) => units.length),
    [2, 3],
  );
  const units = ['percent', 'rate', 'total'] as const;
  assert.deepEqual(
    units.map((unit) => measures.listUnit(unit, heap)),
    ['percent', 'rate', 'rate'],
  );
  assert.deepEqual(
    units.map((unit) => measures.listUnit(unit, cpu)),
    units,
  );
});
