// A map of numbers by hash, in shards, so that each growth takes little time.

const shardCount = 256;

/** Numbers by 52-bit hash. A shard of 8,000 grows in less than a millisecond. */
export class ShardedMap {
  readonly #shards: Map<number, number>[] = [];
  /** Number of hashes. */
  size = 0;

  get(hash: number): number | undefined {
    return this.#shards[hash % shardCount]?.get(hash);
  }

  set(hash: number, value: number): void {
    const shard = (this.#shards[hash % shardCount] ??= new Map());
    const { size } = shard;
    shard.set(hash, value);
    this.size += shard.size - size;
  }
}
