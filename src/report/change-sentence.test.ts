import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeSentence, type NamedCause, type SentenceSide } from './change-sentence.ts';

const nanoseconds = { type: 'cpu', unit: 'nanoseconds' };
const cause: NamedCause = {
  name: 'loadTable',
  file: 'pricing.go',
  line: 67,
  caller: 'Quote',
  isCall: false,
  package: undefined,
  difference: 0.37e9 * 100,
  halfWidth: 0.04e9 * 100,
  collected: 0,
};

/** Creates a side of 100 seconds with samples of 10 ms and Poisson noise. */
function side(cores: number): SentenceSide {
  const total = BigInt(Math.round(cores * 100e9));
  const sampleCount = total / 10_000_000n;
  return { total, sampleCount, durationNanos: 100_000_000_000n, snapshots: 0, profileCount: 10 };
}

type Input = Parameters<typeof changeSentence>[0];

function check(
  base: SentenceSide,
  compared: SentenceSide,
  input: Partial<Input>,
  want: string,
): void {
  const parts = changeSentence({
    base,
    compared,
    profileType: { sample: nanoseconds },
    valueType: nanoseconds,
    cause: undefined,
    load: undefined,
    ...input,
  });
  const names: Readonly<Record<string, string>> = { compared: '2.15.0', base: '2.14.1' };
  const text = parts.map((part) => names[part.kind] ?? part.text).join('');
  assert.equal(text.replaceAll('\u202f', ' '), want);
}

test('all, most, or a part of a difference, as its interval allows', () => {
  const more = '2.15.0 uses 0.38 cores more (+24 % ± 3)';
  const [base, compared] = [side(1.6), side(1.98)];
  const where = 'loadTable (pricing.go:67), called from Quote';
  check(base, compared, { cause }, `${more}, all of it ${where}`);
  const of = (cores: number, error: number): NamedCause => ({
    ...cause,
    difference: cores * 100e9,
    halfWidth: error * 100e9,
  });
  check(base, compared, { cause: of(0.37, 0.2) }, `${more}, 0.37 ± 0.2 cores of it ${where}`);
  check(base, compared, { cause: of(0.28, 0.05) }, `${more}, most of it ${where}`);
  check(base, compared, { cause: of(0.15, 0.05) }, `${more}, 0.15 ± 0.05 cores of it ${where}`);
  check(
    base,
    compared,
    { cause: of(0.6, 0.1) },
    `${more}: 0.60 ± 0.1 cores more in ${where}, and less elsewhere`,
  );
  check(base, compared, { cause: of(-0.2, 0.1) }, `${more}, but 0.20 ± 0.1 cores less in ${where}`);
  const gc = { ...of(0.2, 0.05), collected: 0.18 * 100e9 };
  const collecting = ', with the garbage collection that it causes';
  check(base, compared, { cause: gc }, `${more}, all of it ${where}${collecting}`);
  const call = { ...cause, isCall: true };
  check(
    base,
    compared,
    { cause: call },
    `${more}, all of it in calls of loadTable (pricing.go:67) by Quote`,
  );
  const inPackage = { ...cause, package: 'encoding/json' };
  check(
    base,
    compared,
    { cause: inPackage },
    `${more}, all of it in encoding/json, most in loadTable`,
  );
});

test('a difference that may be chance is none', () => {
  // 1.96 * 1.0125 * sqrt(1 / 16,000 + 1 / 16,200) = 0.022.
  const equal = '2.15.0 uses as much as 2.14.1 within chance (+1 % ± 2)';
  check(side(1.6), side(1.62), {}, 'Nothing changed beyond chance in 32 k samples');
  const named = 'loadTable (pricing.go:67), called from Quote';
  check(side(1.6), side(1.62), { cause }, `${equal}, but 0.37 ± 0.04 cores more in ${named}`);
});

test('a rise is named next to a larger fall', () => {
  const less = '2.15.0 uses 0.38 cores less (\u221219 % ± 2)';
  const fall = { ...cause, difference: -0.5e9 * 100 };
  const rise = { ...cause, name: 'encode', file: '', caller: '', difference: 0.12e9 * 100 };
  const where = 'loadTable (pricing.go:67), called from Quote';
  check(
    side(1.98),
    side(1.6),
    { cause: fall, rise },
    `${less}: 0.50 ± 0.04 cores less in ${where}; 0.12 ± 0.04 cores more in encode`,
  );
  check(
    side(1.98),
    side(1.6),
    { cause: { ...cause, difference: -0.37e9 * 100 }, rise },
    `${less}, all of it ${where}; 0.12 ± 0.04 cores more in encode`,
  );
  check(
    side(1.6),
    side(1.62),
    { cause: fall, rise },
    `2.15.0 uses as much as 2.14.1 within chance (+1 % ± 2), but 0.50 ± 0.04 cores less in ${where}; ` +
      '0.12 ± 0.04 cores more in encode',
  );
});

test('without a cause', () => {
  const more = '2.15.0 uses 0.40 cores more (+25 % ± 3)';
  check(side(1.6), side(2), {}, `${more}, but no single function stands out`);
  const load = { ratio: 1.25, relativeError: 0.01 };
  check(side(1.6), side(2), { load }, `${more}, spread over all functions, as with more load`);
  const flat = { ratio: 1, relativeError: 0.01 };
  check(side(1.6), side(2), { load: flat }, `${more}, but no single function stands out`);
  check({ ...side(1.6), profileCount: 0 }, side(2), {}, '');
});

test('memory and counts', () => {
  const state = (bytes: number): SentenceSide => ({
    total: BigInt(bytes) * 4n,
    sampleCount: 8_000n,
    durationNanos: 0n,
    snapshots: 4,
    profileCount: 4,
  });
  const valueType = { type: 'inuse_space', unit: 'bytes' };
  const memory = { profileType: { sample: valueType }, valueType };
  const leak = { ...cause, difference: 2 ** 30 * 4, halfWidth: 2 ** 27 * 4 };
  check(
    state(2 ** 30),
    state(2 ** 31),
    { ...memory, cause: leak },
    '2.15.0 holds 1.0 GiB more (+100 % ± 12), all of it loadTable (pricing.go:67), called from Quote',
  );
  const objects = { type: 'alloc_objects', unit: 'count' };
  const counted = { profileType: { sample: objects }, valueType: objects };
  check(
    side(1),
    side(2),
    counted,
    '2.15.0 counts 1.0 G objects/s more (+100 % ± 5), but no single function stands out',
  );
});
