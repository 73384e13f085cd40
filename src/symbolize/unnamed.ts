// Counts the addresses of a result that have no names, and collects the reasons.
import { grown } from '../model/column.ts';
import type { Dictionary } from '../model/dictionary.ts';
import type { AddressGap, LineGap, NameGaps } from '../model/name-gaps.ts';
import type { StringIndex } from '../model/rows.ts';
import { FileAddresses } from './file-addresses.ts';
import type { Symbolizer } from './symbolizer.ts';

/** The methods of a symbolizer for reasons. */
export type Reasons = Pick<
  Symbolizer,
  'findFrames' | 'whyUnnamed' | 'readNotes' | 'hasNotes' | 'findBias'
>;

/** The methods of a symbolizer for changes. */
export type Changes = Pick<Symbolizer, 'generation' | 'changedAt'>;

/**
 * States of a location: unknown, with names, and with names that are being looked up. Higher
 * numbers stand for reasons why names are missing.
 */
const [stateUnknown, stateNamed, statePending] = [0, 1, 2];

/** States of a dictionary's locations. They are reused from one query to the next. */
export class NameStates {
  /** Generation of the symbolizer for which the states are valid. */
  #generation: number;
  /** State of each location. */
  states = new Int32Array(0);
  /** 1 for each trie node whose path has only locations with names. */
  named = new Uint8Array(0);
  /** Reasons why names are missing, by state, with the mapping of the binary. */
  readonly missing: { readonly mapping: number; readonly why: string }[] = [];
  readonly #known = new Map<string, number>();

  constructor(generation = 0) {
    this.#generation = generation;
  }

  /** Forgets the states of builds whose results have changed since the last call. */
  renew({ mappings, locations, strings }: Dictionary, changes: Changes): void {
    if (this.#generation === changes.generation) return;
    const isChanged = new Uint8Array(mappings.length);
    for (let row = 1; row < isChanged.length; row += 1) {
      const buildId = strings.text(mappings.buildId[row] as StringIndex);
      isChanged[row] = changes.changedAt(buildId) > this.#generation ? 1 : 0;
    }
    const { states } = this;
    let areOthers = false;
    const end = Math.min(states.length, locations.length);
    for (let row = 0; row < end; row += 1) {
      if (isChanged[locations.mapping[row]] === 0 || states[row] === stateUnknown) continue;
      states[row] = stateUnknown;
      areOthers = true;
    }
    if (areOthers) this.named = new Uint8Array(0);
    this.#generation = changes.generation;
  }

  /** Returns the state for locations that lack names for a reason. */
  internState(mapping: number, why: string): number {
    const key = `${mapping} ${why}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const state = Math.max(statePending + 1, this.missing.length);
    this.missing[state] = { mapping, why };
    this.#known.set(key, state);
    return state;
  }
}

/** Counts locations that have an address in a build but no lines, each location once. */
export class UnnamedCounter {
  readonly #dictionary: Dictionary;
  readonly #reasons: Reasons;
  readonly #known: NameStates;
  readonly #addresses: FileAddresses;
  readonly #seenNodes: Uint8Array;
  readonly #seenLocations: Uint8Array;
  readonly #seenMappings: Uint8Array;
  /** Nodes from a leaf towards the root. */
  #path = new Int32Array(64);
  /** Build ids by mapping. */
  readonly #buildIds: (string | undefined)[] = [];
  /** Number of addresses by state. */
  readonly #counts: number[] = [];

  /** `known` has the states of earlier counts for the same dictionary. */
  constructor(dictionary: Dictionary, reasons: Reasons, known = new NameStates()) {
    this.#dictionary = dictionary;
    this.#reasons = reasons;
    this.#known = known;
    this.#addresses = new FileAddresses(dictionary, (buildId, range) =>
      reasons.findBias(buildId, range),
    );
    known.states = grown(known.states, dictionary.locations.length);
    this.#seenNodes = new Uint8Array(dictionary.stacks.nodeCount);
    this.#seenLocations = new Uint8Array(dictionary.locations.length);
    this.#seenMappings = new Uint8Array(dictionary.mappings.length);
    this.#seenNodes[0] = 1;
    this.#seenLocations[0] = 1;
  }

  /**
   * Walks from each stack towards the root, up to the first node that was already seen or whose
   * path has all names.
   */
  addStacks(rows: Uint32Array): void {
    const { leaf, nodeParent, nodeLocation } = this.#dictionary.stacks;
    const [seen, seenLocations] = [this.#seenNodes, this.#seenLocations];
    const { states } = this.#known;
    const named = this.#namedNodes();
    for (let i = 0; i < rows.length; i += 1) {
      let depth = 0;
      let node: number = leaf[rows[i]];
      for (; seen[node] === 0 && named[node] === 0; node = nodeParent[node]) {
        seen[node] = 1;
        const location = nodeLocation[node];
        if (seenLocations[location] === 0) this.#addLocation(location);
        if (depth === this.#path.length) this.#path = grown(this.#path, depth + 1);
        this.#path[depth] = node;
        depth += 1;
      }
      for (let isNamed = named[node] === 1; isNamed && depth > 0;) {
        depth -= 1;
        const below = this.#path[depth];
        isNamed = states[nodeLocation[below]] === stateNamed;
        if (isNamed) named[below] = 1;
      }
    }
  }

  /**
   * Returns the marks of nodes whose paths have all names. If there are notes, returns no marks
   * from earlier queries, because the binary of each node must be checked.
   */
  #namedNodes(): Uint8Array {
    const { nodeCount } = this.#dictionary.stacks;
    const known = this.#known;
    if (!this.#reasons.hasNotes) known.named = grown(known.named, nodeCount);
    const named = this.#reasons.hasNotes ? new Uint8Array(nodeCount) : known.named;
    named[0] = 1;
    return named;
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
    const address = this.#addresses.address(row);
    const frames = this.#reasons.findFrames(buildId, address);
    if (frames !== undefined && frames.length > 0) return stateNamed;
    const why = this.#reasons.whyUnnamed(buildId, address);
    return why === undefined ? statePending : this.#known.internState(mapping, why);
  }

  /** True if an address is being looked up. */
  get isPending(): boolean {
    return (this.#counts[statePending] ?? 0) > 0;
  }

  /** Returns the addresses that are being looked up, by build id. */
  pending(): Map<string, number[]> {
    const pending = new Map<string, number[]>();
    for (const [mapping, rows] of this.#pendingByMapping()) {
      const { buildId } = this.#binary(mapping);
      const addresses = pending.get(buildId) ?? [];
      for (const row of rows) addresses.push(this.#addresses.address(row));
      pending.set(buildId, addresses);
    }
    return pending;
  }

  #pendingByMapping(): Map<number, number[]> {
    const byMapping = new Map<number, number[]>();
    if (!this.isPending) return byMapping;
    const { mapping } = this.#dictionary.locations;
    for (let row = 1; row < this.#seenLocations.length; row += 1) {
      if (this.#seenLocations[row] === 0 || this.#known.states[row] !== statePending) continue;
      const rows = byMapping.get(mapping[row]);
      if (rows === undefined) byMapping.set(mapping[row], [row]);
      else rows.push(row);
    }
    return byMapping;
  }

  /** Returns the counted addresses and lines that have no names. */
  gaps(): NameGaps {
    return { addresses: this.#addressGaps(), lines: this.#lineGaps(), pendingLines: 0 };
  }

  #addressGaps(): AddressGap[] {
    // A binary may have several mappings.
    const gaps = new Map<string, AddressGap>();
    const add = (mapping: number, why: string, count: number): void => {
      const binary = this.#binary(mapping);
      const key = `${binary.buildId} ${why}`;
      gaps.set(key, { ...binary, why, count: count + (gaps.get(key)?.count ?? 0) });
    };
    this.#counts.forEach((count, state) => {
      if (state === statePending) return;
      const { mapping, why } = this.#known.missing[state];
      add(mapping, why, count);
    });
    for (const [mapping, rows] of this.#pendingByMapping()) add(mapping, '', rows.length);
    return [...gaps.values()];
  }

  #lineGaps(): LineGap[] {
    const { mappings, strings } = this.#dictionary;
    const gaps = new Map<string, LineGap>();
    for (let mapping = 1; mapping < this.#seenMappings.length; mapping += 1) {
      const idRow = mappings.buildId[mapping];
      if (this.#seenMappings[mapping] === 0 || idRow === 0) continue;
      for (const why of this.#reasons.readNotes(strings.text(idRow as StringIndex))) {
        const gap = { ...this.#binary(mapping), why };
        gaps.set(`${gap.buildId} ${why}`, gap);
      }
    }
    return [...gaps.values()];
  }

  #binary(mapping: number): Pick<LineGap, 'binary' | 'buildId'> {
    const { mappings, strings } = this.#dictionary;
    return {
      binary: strings.text(mappings.fileName[mapping] as StringIndex),
      buildId: strings.text(mappings.buildId[mapping] as StringIndex),
    };
  }
}
