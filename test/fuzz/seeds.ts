// Yields the seeds of a run: a given number, or as many as fit into a given time.

/**
 * Yields seeds from `first` on. `amount` is their number ("40"), or a time within which they start
 * ("180s").
 */
export function* seedsFrom(first: number, amount: string): Generator<number> {
  const end = amount.endsWith('s')
    ? performance.now() + Number.parseFloat(amount) * 1_000
    : undefined;
  const count = end === undefined ? Number(amount) : Infinity;
  for (let seed = first; seed < first + count; seed += 1) {
    if (end !== undefined && seed > first && performance.now() >= end) return;
    yield seed;
  }
}
