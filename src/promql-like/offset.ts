// The durations of `offset`: signed sums of units, exact to the nanosecond.

/** Units and their nanoseconds, in the order in which a sum must list them. */
const units: readonly (readonly [string, bigint])[] = [
  ['w', 604_800_000_000_000n],
  ['d', 86_400_000_000_000n],
  ['h', 3_600_000_000_000n],
  ['m', 60_000_000_000n],
  ['s', 1_000_000_000n],
  ['ms', 1_000_000n],
  ['us', 1_000n],
  ['ns', 1n],
];

const form = new RegExp(`^(-?)(?=\\d)${units.map(([unit]) => `(?:(\\d+)${unit})?`).join('')}$`);

/**
 * Returns the nanoseconds of `1d12h`, `-90s` or `250ms`; undefined for other strings and above 292
 * years.
 */
export function parseOffset(text: string): bigint | undefined {
  const match = form.exec(text);
  if (match === null) return undefined;
  let nanos = 0n;
  units.forEach(([, unitNanos], i) => {
    nanos += BigInt(match[i + 2] ?? 0) * unitNanos;
  });
  if (BigInt.asIntN(64, nanos) !== nanos) return undefined;
  return match[1] === '-' ? -nanos : nanos;
}

/** Returns the shortest string that parseOffset turns back into `nanos`. */
export function printOffset(nanos: bigint): string {
  if (nanos === 0n) return '0s';
  let rest = nanos < 0n ? -nanos : nanos;
  let text = nanos < 0n ? '-' : '';
  for (const [unit, unitNanos] of units) {
    if (rest >= unitNanos) text += `${rest / unitNanos}${unit}`;
    rest %= unitNanos;
  }
  return text;
}
