// Seeds of a run: as many as are asked for, or as many as fit into a time.

/** Yields seeds from `first` on: `amount` of them ("40"), or as many as begin within it ("180s"). */
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
