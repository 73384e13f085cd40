// Timing for benchmarks: candidates run in turns in one process, and ratios are computed per turn.

/** A candidate to measure; `run` does the work of one turn. */
export interface Candidate {
  readonly name: string;
  readonly run: () => void;
}

/** Median time of a candidate in milliseconds, and median of its ratio to the first candidate. */
export interface Measurement {
  readonly name: string;
  readonly millis: number;
  readonly ratio: number;
}

/** Runs all candidates once per turn; the first `warmUpTurns` are not counted. */
export function measureInTurns(
  candidates: readonly Candidate[],
  turns = 15,
  warmUpTurns = 5,
): Measurement[] {
  const millis: number[][] = candidates.map(() => []);
  for (let turn = -warmUpTurns; turn < turns; turn += 1) {
    candidates.forEach((candidate, i) => {
      const start = performance.now();
      candidate.run();
      if (turn >= 0) millis[i].push(performance.now() - start);
    });
  }
  return candidates.map(({ name }, i) => ({
    name,
    millis: median(millis[i]),
    ratio: median(millis[i].map((value, turn) => value / millis[0][turn])),
  }));
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}

/** Prints "name: ratio x, goal y, ok/NOT"; with `atLeast`, the goal is a lower limit. */
export function reportRatio(name: string, ratio: number, goal: number, atLeast: boolean): void {
  const isMet = atLeast ? ratio >= goal : ratio <= goal;
  const relation = atLeast ? '>=' : '<=';
  const verdict = isMet ? 'ok' : 'NOT';
  console.log(`${name}: ratio ${ratio.toFixed(2)}, goal ${relation} ${goal}, ${verdict}`);
}
