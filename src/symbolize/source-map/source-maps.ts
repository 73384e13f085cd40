// Finds original lines for JavaScript bundles in uploaded source maps. A map is uploaded for a
// bundle's build id (its debug id) or for its file name.
import { AppError } from '../../base/errors.ts';
import type { Files } from '../../base/files.ts';
import { sourceMapBytesMax } from '../limits.ts';
import type { Resolver, SourceFrame } from '../interface.ts';
import type { Symbolizer } from '../symbolizer.ts';
import type { MapReader, MapReply, MapRequest } from './map-reader.ts';
import { originalName, SourceMap } from './source-map.ts';

/** The part of a symbolizer that caches positions. */
type Places = Pick<
  Symbolizer,
  'findFrames' | 'whyUnnamed' | 'filesChanged' | 'generation' | 'settle' | 'promise'
>;

/**
 * Limit of columns in a line. It exists because a position is encoded as one number, so that the
 * symbolizer of addresses can cache it.
 */
const columnsMax = 2 ** 24;

/** Names lines of bundles. */
export class SourceMaps {
  /** Returns true if there are maps. */
  readonly hasMaps: () => boolean;
  readonly #places: Places;
  readonly #hasMap: (key: string) => boolean;
  #changes = 0;
  /** Positions that are being looked up, by key. */
  #pending = new Map<string, Set<number>>();
  #pendingGeneration = 0;

  /** `places` must use `createMapResolver`. `hasMap` returns true for a key that has a map. */
  constructor(places: Places, hasMap: (key: string) => boolean, hasMaps: () => boolean) {
    this.hasMaps = hasMaps;
    this.#places = places;
    this.#hasMap = hasMap;
  }

  /** Number that grows whenever the result for a line may have changed. */
  get generation(): number {
    return this.#changes + this.#places.generation;
  }

  /** Number of positions that are being looked up. */
  get pendingCount(): number {
    if (this.#pendingGeneration !== this.generation) return 0;
    let count = 0;
    for (const places of this.#pending.values()) count += places.size;
    return count;
  }

  /**
   * Resolves when no position is being looked up. The signals have the same meaning as in
   * Symbolizer.settle.
   */
  settle(signal: AbortSignal, caller: AbortSignal): Promise<void> {
    return this.#places.settle(this.#pendingPlaces(), signal, caller);
  }

  /**
   * Records that a response has promised lines. They are then looked up even if no caller waits.
   */
  promise(): void {
    this.#places.promise(this.#pendingPlaces());
  }

  #pendingPlaces(): Map<string, number[]> {
    return new Map(Array.from(this.#pending, ([key, places]) => [key, [...places]]));
  }

  /** Records that there is a new map. */
  mapChanged(key: string): void {
    this.#changes += 1;
    this.#places.filesChanged(key);
  }

  /** Returns the original line; undefined if there is none, or if it is not known yet. */
  findOriginal(buildId: string, line: SourceFrame): SourceFrame | undefined {
    const key = this.findKey(buildId) ?? this.findKey(line.fileName);
    if (key === undefined || line.line === 0 || line.column >= columnsMax) return undefined;
    const place = line.line * columnsMax + line.column;
    const frames = this.#places.findFrames(key, place);
    if (frames === undefined) this.#await(key, place);
    if (frames === undefined || frames.length === 0) return undefined;
    const [original, ...around] = frames;
    const functions = around.map(({ functionName, startLine, column }) => ({
      name: functionName,
      lengthMin: startLine,
      lengthMax: column,
    }));
    const functionName = originalName(functions, line.functionName);
    return { ...original, functionName, systemName: line.systemName, startLine: 0 };
  }

  /** Returns the key of the map for a build id or a file name; undefined without one. */
  findKey(id: string): string | undefined {
    if (id === '') return undefined;
    const hex = id.toLowerCase().replaceAll('-', '');
    const isDebugId = /^[0-9a-f]{32}$/.test(hex);
    const withDashes = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    const forms = isDebugId ? [id, hex, withDashes] : [id, id.replace(/^file:\/\//, '')];
    return forms.find((form) => this.#hasMap(form));
  }

  #await(key: string, place: number): void {
    if (this.#places.whyUnnamed(key, place) !== undefined) return;
    if (this.#pendingGeneration !== this.generation) {
      this.#pending = new Map();
      this.#pendingGeneration = this.generation;
    }
    const places = this.#pending.get(key) ?? new Set();
    this.#pending.set(key, places.add(place));
  }
}

/**
 * Creates a resolver of positions. For each position, it returns the original position, followed by
 * the enclosing functions.
 */
export function createMapResolver(reader: Pick<MapReader, 'ask'>): Resolver {
  return {
    async resolve({ path }, places, signal) {
      return (await reader.ask({ path, places }, signal)).frames;
    },
  };
}

/** Reads the map and answers the request. Runs in a separate thread. Errors: as in SourceMap. */
export async function answerByMap(files: Files, request: MapRequest): Promise<MapReply> {
  const { path, places, fileName } = request;
  const file = await files.open(path, { create: false });
  const bytes = await file.size().finally(() => file.close());
  if (bytes > sourceMapBytesMax) {
    const why = `it has ${bytes} bytes, limit ${sourceMapBytesMax}`;
    throw new AppError('invalid-argument', `cannot read the source map: ${why}`);
  }
  const map = new SourceMap(await files.read(path));
  return {
    frames: places.map((place) => framesAt(map, place)),
    text: fileName === undefined ? undefined : map.sourceText(fileName),
  };
}

function framesAt(map: SourceMap, place: number): SourceFrame[] {
  const [line, column] = [Math.floor(place / columnsMax), place % columnsMax];
  const found = map.findOriginal({ line, column });
  if (found === undefined) return [];
  const { fileName, functions } = found;
  const original = { functionName: '', systemName: '', startLine: 0 };
  return [
    { ...original, fileName, line: found.line, column: found.column },
    ...functions.map(({ name, lengthMin, lengthMax }) => ({
      functionName: name,
      systemName: '',
      fileName,
      line: 0,
      startLine: lengthMin,
      column: lengthMax,
    })),
  ];
}
