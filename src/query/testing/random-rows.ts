// Random numbers and profiles from a seed, as rows of TestStore.

export type RandomBelow = (below: number) => number;

/** Random numbers from a seed: xorshift32. */
export function randomFrom(seed: number): RandomBelow {
  let state = seed | 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

export function pick<T>(random: RandomBelow, values: readonly T[]): T {
  return values[random(values.length)];
}

/** Returns up to `lengthMax` results of `make`. */
export function randomList<T>(random: RandomBelow, lengthMax: number, make: () => T): T[] {
  return Array.from({ length: random(lengthMax + 1) }, make);
}

/** Returns stacks of up to 6 frames f0..f4, some with inlined calls, some empty. */
export function randomRows(random: RandomBelow, count: number): string {
  return Array.from({ length: count }, () => {
    const frames = Array.from({ length: random(7) }, () => {
      const name = `f${random(5)}`;
      return random(6) === 0 ? `${name}>f${random(5)}>g${random(3)}` : name;
    });
    return `${frames.join(';') || '-'} ${1 + random(1000)}`;
  }).join('\n');
}
