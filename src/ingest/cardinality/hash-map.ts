// A map from hashes to numbers. It has many shards, so that no growth takes long.

const shardCount = 256;

/** Maps 52-bit hashes to numbers. A shard with 8,000 entries grows in less than a millisecond. */
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
