// Opens readers of uploaded source maps, in threads.
import type { Clock } from '../../src/base/clock.ts';
import type { Logger } from '../../src/base/logger.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import type { DebuginfoStore } from '../../src/debuginfo/debuginfo-store.ts';
import type { SourceReader } from '../../src/sources/interface.ts';
import { MapReader } from '../../src/symbolize/source-map/map-reader.ts';
import { createMapResolver, SourceMaps } from '../../src/symbolize/source-map/source-maps.ts';
import { Symbolizer } from '../../src/symbolize/symbolizer.ts';

const script = new URL('./workers/source-map-worker.ts', import.meta.url);

/** Readers of source maps. */
export interface SourceMapReaders {
  readonly maps: SourceMaps;
  /** Finds positions in maps. Must be stopped by the caller. */
  readonly places: Symbolizer;
  /** Reads the sources in maps. */
  readonly reader: SourceReader;
  /** Checks a map. Rejects with an AppError if the map cannot be read; see MapReader.ask. */
  readonly check: (path: string, signal: AbortSignal, caller: string) => Promise<unknown>;
}

export function openSourceMaps(
  debuginfo: Pick<DebuginfoStore, 'find' | 'hasAny'>,
  clock: Clock,
  logger: Logger,
): SourceMapReaders {
  const threads = new MapReader(script, clock);
  const findPath = (key: string): string | undefined => debuginfo.find(key, 'source-map')?.path;
  const places = new Symbolizer({
    findFiles(key) {
      const path = findPath(key);
      if (path === undefined) return { generation: 0, files: [], reason: 'no source map' };
      const file = { path, hasDwarf: true, hasGoLineTable: false };
      return { generation: 1, files: [file], reason: '' };
    },
    fetcher: { fetch: () => false, release: () => undefined },
    saved: { load: () => ({ frames: new Map(), notes: new Set() }), add: () => undefined },
    resolvers: () => [createMapResolver(threads)],
    logger,
    metrics: noMetrics,
  });
  const hasMaps = (): boolean => debuginfo.hasAny('source-map');
  const maps = new SourceMaps(places, (key) => findPath(key) !== undefined, hasMaps);
  const reader: SourceReader = {
    async readSource(buildId, fileName, signal, caller = '') {
      const key = maps.findKey(buildId);
      const path = key === undefined ? undefined : findPath(key);
      if (path === undefined) return { reason: '' };
      const { text } = await threads.ask({ path, places: [], fileName }, signal, caller);
      return text === undefined ? { reason: `${fileName} is not in the source map` } : { text };
    },
  };
  const check: SourceMapReaders['check'] = (path, signal, caller) =>
    threads.ask({ path, places: [] }, signal, caller);
  return { maps, places, reader, check };
}
