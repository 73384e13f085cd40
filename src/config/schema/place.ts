// A position in a config file: a YAML node with its path, and the list of problems of the file.
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Document,
  type LineCounter,
  type Node,
  type YAMLMap,
} from 'yaml';
import type { Files } from '../../base/files.ts';
import { maskUserInfo } from '../../base/text/mask-user-info.ts';

/** A problem in a config file; lines and columns count from 1. */
export interface ConfigProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Path, such as `scrape_configs[0].scheme`; "" for the complete file. */
  readonly path: string;
  /** Description of the mistake and of the expected value. */
  readonly message: string;
}

/** A parsed file with the problems found so far. */
export interface ConfigSource {
  readonly file: string;
  readonly document: Document;
  readonly lines: LineCounter;
  readonly problems: ConfigProblem[];
  /** Settings that are valid but probably not intended. */
  readonly warnings: ConfigProblem[];
  /** Values that must not be shown. */
  readonly secrets: Set<Node>;
  /** Checks that must read other files. */
  readonly later: LaterCheck[];
}

/** Reports mistakes in files that the config names. It never rejects. */
export type LaterCheck = (files: Pick<Files, 'read'>) => Promise<void>;

/** A node of the file and its path from the root. */
export class Place {
  readonly source: ConfigSource;
  readonly path: string;
  /** The node, with aliases resolved; undefined for an empty value. */
  readonly node: Node | undefined;
  readonly offset: number;

  constructor(source: ConfigSource, path: string, value: unknown, offset: number) {
    this.source = source;
    this.path = path;
    const node = isNode(value) ? value : undefined;
    this.node = isAlias(node) ? node.resolve(source.document) : node;
    this.offset = node?.range?.[0] ?? offset;
  }

  /** Adds a problem at this position. */
  report(message: string, offset = this.offset, path = this.path): void {
    this.source.problems.push(this.#problem(message, offset, path));
  }

  /** Adds a warning at this position. */
  warn(message: string): void {
    this.source.warnings.push(this.#problem(message, this.offset, this.path));
  }

  #problem(message: string, offset: number, path: string): ConfigProblem {
    const { line, col } = this.source.lines.linePos(offset);
    const { file } = this.source;
    return { file, line, column: col, path, message: maskUserInfo(message) };
  }

  /** Returns the value of a key; undefined if the value is not a map or lacks the key. */
  find(name: string): Place | undefined {
    return this.entries()?.find(({ key }) => key === name)?.place;
  }

  /**
   * Returns the position at which problems with a key are reported: the value of the key, or the
   * map if it lacks the key.
   */
  at(name: string): Place {
    return this.find(name) ?? this;
  }

  /** Marks the value as a secret, which must not be shown. */
  markSecret(): void {
    if (this.node !== undefined) this.source.secrets.add(this.node);
  }

  /** Adds a check that runs when the complete file has been read. */
  checkLater(check: LaterCheck): void {
    this.source.later.push(check);
  }

  /** Returns true if the value is empty: `key:` or `key: null`. */
  isEmpty(): boolean {
    return this.node === undefined || (isScalar(this.node) && this.node.value === null);
  }

  /**
   * Returns the value of a scalar, and the text that the file has for it; undefined for maps and
   * lists.
   */
  scalar(): { readonly value: unknown; readonly text: string } | undefined {
    if (!isScalar(this.node)) return undefined;
    const { value, source } = this.node;
    return { value, text: typeof value === 'string' ? value : (source ?? String(value)) };
  }

  items(): Place[] | undefined {
    if (!isSeq(this.node)) return undefined;
    return this.node.items.map(
      (item, i) => new Place(this.source, `${this.path}[${i}]`, item, this.offset),
    );
  }

  /**
   * Returns the entries of a map, and of maps that `<<` merges into it, each with its position in
   * the file; undefined if the value is not a map.
   */
  entries(): MapEntry[] | undefined {
    if (!isMap(this.node)) return undefined;
    return [...this.#mergeEntries(this.node, []).values()];
  }

  /**
   * Merges entries by key. Keys of the map override keys of merged maps, and earlier merged maps
   * override later ones.
   */
  #mergeEntries(map: YAMLMap, above: readonly YAMLMap[]): Map<string, MapEntry> {
    const entries = map.items.map((pair) => this.#entry(pair));
    const own = entries.filter(({ key }) => key !== mergeKey);
    const found = new Map(own.map((entry) => [entry.key, entry]));
    for (const { key, place } of entries) {
      if (key !== mergeKey) continue;
      for (const merged of place.items() ?? [place]) {
        if (!isMap(merged.node) || above.includes(merged.node)) {
          merged.report('expected a map to merge, or a list of maps', undefined, this.path);
          continue;
        }
        for (const [name, entry] of this.#mergeEntries(merged.node, [...above, map])) {
          if (!found.has(name)) found.set(name, entry);
        }
      }
    }
    return found;
  }

  #entry(pair: YAMLMap['items'][number]): MapEntry {
    const key = readKey(pair.key);
    const keyOffset = (isNode(pair.key) ? pair.key.range?.[0] : undefined) ?? this.offset;
    const path = this.path === '' ? key : `${this.path}.${key}`;
    return { key, keyOffset, place: new Place(this.source, path, pair.value, keyOffset) };
  }

  /**
   * Describes the value for messages that say "got ...". If it is a secret, only its type is
   * described.
   */
  describe(isSecret = false): string {
    const scalar = this.scalar();
    if (this.isEmpty()) return 'nothing';
    if (scalar === undefined) return isMap(this.node) ? 'a map' : 'a list';
    if (isSecret) return `a ${typeof scalar.value}`;
    return typeof scalar.value === 'string' ? JSON.stringify(scalar.text) : scalar.text;
  }
}

export interface MapEntry {
  readonly key: string;
  readonly keyOffset: number;
  readonly place: Place;
}

/**
 * Key that adds the entries of another map. It is from YAML 1.1, and other tools still support it.
 */
const mergeKey = '<<';

function readKey(key: unknown): string {
  return isScalar(key) ? (key.source ?? String(key.value)) : '?';
}

function isNode(value: unknown): value is Node {
  return isScalar(value) || isMap(value) || isSeq(value) || isAlias(value);
}
