// A store made from strings, for tests: `main;serve;decode 30` is a row of a profile.
import { mixHash } from '../../model/hash-index.ts';
import { createLabelSet } from '../../model/labels.ts';
import type { ProfileType } from '../../model/profile-type.ts';
import type { FunctionIndex, LocationIndex, MappingIndex, StringIndex } from '../../model/rows.ts';
import { MemoryStorage } from '../../storage/fake/memory-storage.ts';
import type { IncomingProfile } from '../../storage/interface.ts';

/** One line of a location. */
export interface TestLine {
  readonly name: string;
  readonly systemName?: string;
  readonly fileName?: string;
  readonly startLine?: number;
  readonly line?: number;
}

/** A location; its innermost line is first. */
export interface TestLocation {
  readonly address: number;
  readonly mappingFile?: string;
  readonly buildId?: string;
  readonly lines: readonly TestLine[];
}

export interface TestProfile {
  readonly labels?: Readonly<Record<string, string>>;
  readonly type: ProfileType;
  readonly timeNanos: bigint;
  readonly durationNanos?: bigint;
  readonly period?: bigint;
  /**
   * Rows, one per line: frames from the root joined by ";", a value, then sample labels. A frame is
   * a name, names of inlined calls joined by ">" (outermost first), or an address. An empty stack
   * is "-"; "#7" is row 7 of the dictionary, made with addStack.
   */
  readonly rows: string;
}

/**
 * Counter from which all stores take content hashes. Hashes must differ, because a merge of parts
 * treats profiles with the same time and hash as copies.
 */
let contentHashes = 0n;

/** A profile that can be added to any kind of store. */
export interface AddedProfile extends IncomingProfile {
  /** True for a type of delta profiles, which should have a duration. */
  readonly delta: boolean;
}

/**
 * A store in memory that is filled from strings. `describe` returns the location for the string of
 * a frame.
 */
export class TestStore extends MemoryStorage {
  readonly #describe: (frame: string) => TestLocation;
  readonly #added: AddedProfile[] = [];
  readonly #locations = new Map<string, LocationIndex>();
  readonly #stackRows = new Map<string, number>();

  constructor(describe = describeFrame) {
    super();
    this.#describe = describe;
  }

  add({ type, labels = {}, timeNanos, durationNanos = 0n, period = 0n, rows }: TestProfile): void {
    const lines = rows.split('\n').map((text) => text.trim());
    const read = lines.filter(Boolean).map((line) => {
      const [stack, value, ...own] = line.split(' ');
      return { stack: this.#stack(stack), value: BigInt(value), labels: this.#sampleLabels(own) };
    });
    contentHashes += 1n;
    const upload: AddedProfile = {
      labels: createLabelSet(Object.entries(labels).map(([name, value]) => ({ name, value }))),
      name: type.name,
      sampleTypes: [type.sample],
      periodType: type.period,
      period,
      timeNanos,
      durationNanos,
      delta: type.delta,
      rowCount: read.length,
      stacks: Uint32Array.from(read, ({ stack }) => stack),
      values: [BigInt64Array.from(read, ({ value }) => value)],
      sampleLabels: Uint32Array.from(read, (row) => row.labels),
      contentHash: contentHashes,
    };
    this.#added.push(upload);
    this.store(upload, type.delta);
  }

  /**
   * Returns everything that was added, to be added to a real store. The first value column is
   * another sample type.
   */
  incoming(): AddedProfile[] {
    return this.#added.map(({ sampleTypes, values, sampleLabels, ...upload }) => ({
      ...upload,
      sampleTypes: [{ type: 'other', unit: 'count' }, ...sampleTypes],
      values: [new BigInt64Array(upload.rowCount).fill(-77n), ...values],
      sampleLabels: sampleLabels?.some(Boolean) ? sampleLabels : undefined,
    }));
  }

  /** Adds a stack of locations, leaf first, and returns its row. */
  addStack(locations: readonly LocationIndex[]): number {
    const key = locations.join();
    const known = this.#stackRows.get(key);
    if (known !== undefined) return known;
    const id = this.#stackRows.size + 1;
    const row = this.dictionary.stacks.add(id, ~id, locations);
    this.#stackRows.set(key, row);
    return row;
  }

  addLocation({ address, mappingFile = '', buildId = '', lines }: TestLocation): LocationIndex {
    const { strings, mappings, locations, functions } = this.dictionary;
    const text = (value: string): StringIndex => strings.internText(value);
    const mapping =
      mappingFile + buildId === ''
        ? (0 as MappingIndex)
        : mappings.intern(0, 0, 1000, 0, 0, 0, text(mappingFile), text(buildId));
    const key = JSON.stringify({ address, mapping, lines });
    const known = this.#locations.get(key);
    if (known !== undefined) return known;
    // A location with a build id is identified by its line numbers, in every dictionary.
    const ofLines = lines.reduce((sum, { line = 0 }) => mixHash(sum, line), lines.length);
    const hash = buildId === '' ? this.#locations.size + 1 : ofLines;
    const high = Math.floor(address / 2 ** 32);
    if (locations.find(mapping, address, high, hash) !== 0) throw new Error('hash is used twice');
    const row = locations.add(mapping, address, high, hash);
    for (const { name, systemName = name, fileName = '', startLine = 0, line = 0 } of lines) {
      const system = text(systemName);
      const lineFunction: FunctionIndex = functions.intern(
        text(name),
        system,
        text(fileName),
        startLine,
      );
      locations.addLine(lineFunction, line, 0);
    }
    this.#locations.set(key, row);
    return row;
  }

  #stack(text: string): number {
    if (text === '-') return 0;
    if (text.startsWith('#')) return Number(text.slice(1));
    const locations = text.split(';').map((frame) => this.addLocation(this.#describe(frame)));
    return this.addStack(locations.reverse());
  }

  #sampleLabels(labels: readonly string[]): number {
    const { strings, sampleLabels } = this.dictionary;
    const entries = labels.map((label) => {
      const [key, value] = label.split('=').map((part) => strings.internText(part));
      return { key, text: value, number: 0n, unit: 0 as StringIndex };
    });
    return sampleLabels.intern(entries.sort((a, b) => a.key - b.key));
  }
}

/**
 * Returns the location for an address, or for the names of a call and the calls inlined into it.
 */
function describeFrame(frame: string): TestLocation {
  if (frame.startsWith('0x')) return { address: Number(frame), lines: [] };
  const lines = frame.split('>').map((name) => ({ name }));
  return { address: frame.length, lines: lines.reverse() };
}
