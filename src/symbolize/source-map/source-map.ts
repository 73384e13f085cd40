// Reads one source map, which maps positions in a JavaScript bundle to the original files, lines
// and functions.
import {
  decodedMappings,
  FlattenMap,
  LEAST_UPPER_BOUND,
  originalPositionFor,
  sourceContentFor,
  type TraceMap,
} from '@jridgewell/trace-mapping';
import { AppError, errorMessage } from '../../base/errors.ts';
import { sourceMapNamesSearchedMax, sourceMapPositionsMax, sourceMapValuesMax } from '../limits.ts';
import { countValues, parseJsonBytes } from '../../base/text/json.ts';
import { textAfterName } from './enclosing.ts';

/** A position in a bundle. Lines and columns start at 1; column 0 = unknown. */
export interface BundlePlace {
  readonly line: number;
  readonly column: number;
}

/** The position in the sources from which a position in a bundle was compiled. */
export interface OriginalPlace {
  readonly fileName: string;
  readonly line: number;
  readonly column: number;
  /** Functions around the position that the map names, the innermost first. */
  readonly functions: readonly OriginalFunction[];
}

export interface OriginalFunction {
  readonly name: string;
  /**
   * Smallest and largest possible length of the name in the bundle. The exact length may be
   * unknown, because a map may lack the ends of names.
   */
  readonly lengthMin: number;
  readonly lengthMax: number;
}

/**
 * Returns the original name of the function that is called `bundled` in the bundle; `bundled`
 * itself if the function was not renamed. `functions` are the functions around the position.
 */
export function originalName(functions: readonly OriginalFunction[], bundled: string): string {
  const found = functions.find((one) => fits(bundled, one) && !fits(one.name, one));
  return found?.name ?? bundled;
}

function fits({ length }: string, { lengthMin, lengthMax }: OriginalFunction): boolean {
  return length > 0 && length >= lengthMin && length <= lengthMax;
}

/**
 * If the column is unknown, largest number of original lines from which a line of the bundle may
 * come.
 */
const linesOfLineMax = 20;

/** Answers queries about one map. */
export class SourceMap {
  readonly #map: TraceMap;
  /** Starts of lines by source. */
  readonly #lineStarts = new Map<string, readonly number[]>();

  /**
   * Parses a map in UTF-8, which may have sections.
   *
   * Errors: AppError 'invalid-argument' with the reason.
   */
  constructor(bytes: Uint8Array) {
    try {
      if (countValues(bytes, sourceMapValuesMax) > sourceMapValuesMax) {
        throw new Error(`it has more than ${sourceMapValuesMax} values`);
      }
      const map = parseJsonBytes(bytes, 'it is not JSON');
      const positions = countPositions(map);
      if (positions > sourceMapPositionsMax) {
        throw new Error(`${positions} positions are over the limit of ${sourceMapPositionsMax}`);
      }
      this.#map = new FlattenMap(map as ConstructorParameters<typeof FlattenMap>[0]);
      // The library decodes on demand. The mappings are decoded now, so that mistakes are found
      // here.
      decodedMappings(this.#map);
      if (this.#map.sources.length === 0) throw new Error('it names no sources');
    } catch (error) {
      const message = `cannot read the source map: ${errorMessage(error)}`;
      throw new AppError('invalid-argument', message, { cause: error });
    }
  }

  /** Returns the original position; undefined if the map has none. */
  findOriginal({ line, column }: BundlePlace): OriginalPlace | undefined {
    if (line < 1 || (column === 0 && !this.#isLineOfOnePlace(line))) return undefined;
    const needle = { line, column: Math.max(0, column - 1) };
    const found =
      column === 0
        ? originalPositionFor(this.#map, { ...needle, bias: LEAST_UPPER_BOUND })
        : originalPositionFor(this.#map, needle);
    // Positions may refer to sources that the map does not list.
    if (typeof found.source !== 'string') return undefined;
    // A map may list more sources than it has contents.
    const text = sourceContentFor(this.#map, found.source) ?? null;
    return {
      fileName: shownName(found.source),
      line: found.line,
      column: found.column + 1,
      functions:
        text === null || column === 0 ? [] : this.#functionsAround(needle, found.source, text),
    };
  }

  /** Returns the content of a source by its shown name; undefined if the map does not have it. */
  sourceText(fileName: string): string | undefined {
    const { resolvedSources } = this.#map;
    const source = resolvedSources.find((name) => shownName(name ?? '') === fileName);
    return (source && sourceContentFor(this.#map, source)) || undefined;
  }

  /**
   * Returns true if a line comes from only a few lines of one source. The bundle is not minified in
   * this case.
   */
  #isLineOfOnePlace(line: number): boolean {
    const segments = decodedMappings(this.#map)[line - 1] ?? [];
    let [source, first, last] = [-1, Infinity, -Infinity];
    for (const segment of segments) {
      if (segment.length === 1) continue;
      if (source !== -1 && segment[1] !== source) return false;
      source = segment[1];
      first = Math.min(first, segment[2]);
      last = Math.max(last, segment[2]);
    }
    return last - first < linesOfLineMax;
  }

  /**
   * Searches backwards from a position through renamed names. Returns the functions that do not end
   * before the position.
   */
  #functionsAround(
    { line, column }: { readonly line: number; readonly column: number },
    source: string,
    text: string,
  ): OriginalFunction[] {
    const { names, resolvedSources } = this.#map;
    const found = originalPositionFor(this.#map, { line, column });
    const lines = this.#lineStarts.get(source) ?? lineStarts(text);
    this.#lineStarts.set(source, lines);
    const place = (lines[(found.line ?? 1) - 1] ?? text.length) + (found.column ?? 0);
    const functions: OriginalFunction[] = [];
    let searched = 0;
    for (let row = line - 1; row >= 0 && searched < sourceMapNamesSearchedMax; row -= 1) {
      const segments = decodedMappings(this.#map)[row];
      for (let i = segments.length - 1; i >= 0 && searched < sourceMapNamesSearchedMax; i -= 1) {
        const segment = segments[i];
        if (segment.length !== 5 || (row === line - 1 && segment[0] > column)) continue;
        searched += 1;
        if (resolvedSources[segment[1]] !== source) continue;
        const start = (lines[segment[2]] ?? text.length) + segment[3];
        const name = names[segment[4]];
        const next = segments[i + 1];
        if (next === undefined || name === undefined) continue;
        const after = textAfterName(text, start, name, place);
        if (after === undefined) continue;
        const room = next[0] - segment[0];
        functions.push({ name, lengthMin: room - after.max, lengthMax: room - after.min });
      }
    }
    return functions;
  }
}

/** Counts positions and lines without decoding them. */
function countPositions(map: unknown): number {
  if (typeof map !== 'object' || map === null) throw new Error('it is not an object');
  const { mappings, sections }: { mappings?: unknown; sections?: unknown } = map;
  if (Array.isArray(sections)) {
    return sections.reduce((sum: number, section: unknown) => {
      const { offset, map: part } = section as { offset: { line: number }; map: unknown };
      if (!(offset.line >= 0)) throw new Error('a section has no line');
      // The library makes a list for each line before a section, so these lines count, too.
      return sum + offset.line + countPositions(part);
    }, 0);
  }
  if (typeof mappings !== 'string') throw new Error('it has no mappings');
  let count = 1;
  for (let i = 0; i < mappings.length; i += 1) {
    const code = mappings.charCodeAt(i);
    if (code === 44 || code === 59) count += 1;
  }
  return count;
}

/**
 * Returns the name of a source to show. Bundlers write names relative to the bundle's folder, or
 * with a scheme of their own.
 */
function shownName(source: string): string {
  return source.replace(/^webpack:\/\/[^/]*\//, '').replace(/^(?:\.\.?\/)+/, '');
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
