// Counts the addresses of an answer that have no names, and gives the reasons.
import { grown } from '../model/column.ts';
import type { Dictionary } from '../model/dictionary.ts';
import type { StringIndex } from '../model/rows.ts';
import { FilePlaces } from '../model/transfer/file-places.ts';
import type { Symbolizer } from './symbolizer.ts';

/** The part of a symbolizer that gives reasons. */
export type Reasons = Pick<Symbolizer, 'whyUnnamed' | 'notesOf' | 'biasOf'>;

/** The part of a symbolizer that tells changes. */
export type Changes = Pick<Symbolizer, 'generation' | 'changedAt'>;

/** Sentences about names of an answer. */
export interface UnnamedSentences {
  /** Sentence about names that are still to come; undefined when there are none. */
  readonly pending: string | undefined;
  /** Reasons why names or lines are missing for good. */
  readonly lasting: readonly string[];
}

/** Largest number of binaries that one answer names. */
const binariesNamed = 5;
const buildIdLengthShown = 16;

/** Values of a location's state: not known yet, nothing to say, names to come; then reasons. */
const [stateUnknown, stateNamed, statePending] = [0, 1, 2];

/** States of a dictionary's locations, kept from one answer to the next. */
export class NameStates {
  /** Generation of the symbolizer that the states belong to. */
  #generation: number;
  /** State of each location. */
  states = new Int32Array(0);
  /** Reasons why names are missing, by state, with the mapping of the binary. */
  readonly missing: { readonly mapping: number; readonly why: string }[] = [];
  readonly #known = new Map<string, number>();

  constructor(generation = 0) {
    this.#generation = generation;
  }

  /** Forgets the states of builds whose addresses have had other answers since the last call. */
  renew({ mappings, locations, strings }: Dictionary, changes: Changes): void {
    if (this.#generation === changes.generation) return;
    const isChanged = new Uint8Array(mappings.length);
    for (let row = 1; row < isChanged.length; row += 1) {
      const buildId = strings.text(mappings.buildId[row] as StringIndex);
      isChanged[row] = changes.changedAt(buildId) > this.#generation ? 1 : 0;
    }
    const { states } = this;
    const end = Math.min(states.length, locations.length);
    for (let row = 0; row < end; row += 1) {
      if (isChanged[locations.mapping[row]] === 1) states[row] = stateUnknown;
    }
    this.#generation = changes.generation;
  }

  /** Returns the state of locations that lack names for a reason. */
  stateOf(mapping: number, why: string): number {
    const key = `${mapping} ${why}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const state = Math.max(statePending + 1, this.missing.length);
    this.missing[state] = { mapping, why };
    this.#known.set(key, state);
    return state;
  }
}

/** Counts locations that have an address in a build, and no lines; each once. */
export class UnnamedCounter {
  readonly #dictionary: Dictionary;
  readonly #reasons: Reasons;
  readonly #known: NameStates;
  readonly #places: FilePlaces;
  readonly #seenNodes: Uint8Array;
  readonly #seenLocations: Uint8Array;
  readonly #seenMappings: Uint8Array;
  /** Build ids by mapping. */
  readonly #buildIds: (string | undefined)[] = [];
  /** Number of addresses by state. */
  readonly #counts: number[] = [];

  /** `known`: states of earlier counts of the same dictionary. */
  constructor(dictionary: Dictionary, reasons: Reasons, known = new NameStates()) {
    this.#dictionary = dictionary;
    this.#reasons = reasons;
    this.#known = known;
    this.#places = new FilePlaces(dictionary, (buildId, range) => reasons.biasOf(buildId, range));
    known.states = grown(known.states, dictionary.locations.length);
    this.#seenNodes = new Uint8Array(dictionary.stacks.nodeCount);
    this.#seenLocations = new Uint8Array(dictionary.locations.length);
    this.#seenMappings = new Uint8Array(dictionary.mappings.length);
    this.#seenNodes[0] = 1;
    this.#seenLocations[0] = 1;
  }

  addStacks(rows: Uint32Array): void {
    const { leaf, nodeParent, nodeLocation } = this.#dictionary.stacks;
    const [seen, seenLocations] = [this.#seenNodes, this.#seenLocations];
    for (let i = 0; i < rows.length; i += 1) {
      for (let node: number = leaf[rows[i]]; seen[node] === 0; node = nodeParent[node]) {
        seen[node] = 1;
        const location = nodeLocation[node];
        if (seenLocations[location] === 0) this.#addLocation(location);
      }
    }
  }

  /** Adds locations; 0 = none. */
  addLocations(rows: Int32Array): void {
    const seen = this.#seenLocations;
    for (let i = 0; i < rows.length; i += 1) if (seen[rows[i]] === 0) this.#addLocation(rows[i]);
  }

  #addLocation(row: number): void {
    this.#seenLocations[row] = 1;
    const { states } = this.#known;
    this.#seenMappings[this.#dictionary.locations.mapping[row]] = 1;
    if (states[row] === stateUnknown) states[row] = this.#findState(row);
    const state = states[row];
    if (state !== stateNamed) this.#counts[state] = (this.#counts[state] ?? 0) + 1;
  }

  #findState(row: number): number {
    const { locations, mappings, strings } = this.#dictionary;
    const { lineStart } = locations;
    const mapping = locations.mapping[row];
    const idRow = mappings.buildId[mapping];
    if (lineStart[row] !== lineStart[row + 1] || idRow === 0) return stateNamed;
    const buildId = (this.#buildIds[mapping] ??= strings.text(idRow as StringIndex));
    const why = this.#reasons.whyUnnamed(buildId, this.#places.address(row));
    return why === undefined ? statePending : this.#known.stateOf(mapping, why);
  }

  sentences(): UnnamedSentences {
    const count = this.#counts[statePending] ?? 0;
    const pending =
      count === 0 ? undefined : `${namesOf(count)} being looked up: ask again in a moment`;
    return { pending, lasting: [...this.#missingSentences(), ...this.#noteSentences()] };
  }

  /** Returns a sentence for each binary and reason, the largest first, equal ones by their text. */
  #missingSentences(): string[] {
    // A binary may have several mappings.
    const counts = new Map<string, number>();
    this.#counts.forEach((count, state) => {
      if (state === statePending) return;
      const { mapping, why } = this.#known.missing[state];
      const key = `${this.#binary(mapping)}: ${why}`;
      counts.set(key, (counts.get(key) ?? 0) + count);
    });
    const sorted = [...counts].sort(([why, a], [other, b]) => b - a || (why < other ? -1 : 1));
    const named = sorted.slice(0, binariesNamed);
    const rest = sorted.slice(binariesNamed).reduce((sum, [, count]) => sum + count, 0);
    const sentences = named.map(([why, count]) => `${namesOf(count)} missing in ${why}`);
    return rest === 0 ? sentences : [...sentences, `${namesOf(rest)} missing in other binaries`];
  }

  #noteSentences(): string[] {
    const { mappings, strings } = this.#dictionary;
    const sentences = new Set<string>();
    for (let mapping = 1; mapping < this.#seenMappings.length; mapping += 1) {
      const idRow = mappings.buildId[mapping];
      if (this.#seenMappings[mapping] === 0 || idRow === 0) continue;
      for (const note of this.#reasons.notesOf(strings.text(idRow as StringIndex))) {
        sentences.add(`lines of ${this.#binary(mapping)} are missing: ${note}`);
      }
    }
    // Sorted, because rows of mappings depend on the profile that came first.
    return [...sentences].sort();
  }

  #binary(mapping: number): string {
    const { mappings, strings } = this.#dictionary;
    const path = strings.text(mappings.fileName[mapping] as StringIndex);
    const name = path.slice(path.lastIndexOf('/') + 1) || 'a binary';
    const buildId = strings.text(mappings.buildId[mapping] as StringIndex);
    const isLong = buildId.length > buildIdLengthShown;
    return `${name} (build id ${isLong ? `${buildId.slice(0, buildIdLengthShown)}...` : buildId})`;
  }
}

/** Returns the beginning of a sentence, by which the page recognizes such sentences. */
function namesOf(count: number): string {
  return `names of ${count.toLocaleString('en-US')} address${count === 1 ? '' : 'es'} are`;
}
