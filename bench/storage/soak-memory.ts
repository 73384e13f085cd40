// What takes the memory of a server, by its own metrics.
const kinds = [
  ['heap', 'nodejs_heap_size_used_bytes'],
  ['heap in all', 'nodejs_heap_size_total_bytes'],
  ['outside of the heap', 'nodejs_external_memory_bytes'],
  ['heads', 'parca_storage_head_bytes'],
  ['blocks', 'parca_storage_block_cache_bytes'],
  ['answers', 'parca_query_cache_bytes'],
] as const;

/** Megabytes by kind, as text; those of worker threads are not among them. */
export async function memoryKinds(url: string): Promise<string> {
  const response = await fetch(`${url}/metrics`);
  const text = await response.text();
  const texts = kinds.map(([kind, metric]) => {
    const value = new RegExp(`^${metric} (\\S+)$`, 'm').exec(text)?.[1];
    return `${kind} ${(Number(value) / 1e6).toFixed(0)}`;
  });
  return texts.join(', ');
}
