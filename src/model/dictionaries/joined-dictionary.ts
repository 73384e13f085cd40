// One dictionary for the stacks of several dictionaries, in which equal stacks have different
// numbers.
import { joinedDictionaryBytesMax } from '../limits.ts';
import { memoryShare } from '../../base/memory-limit.ts';
import { createOwnedBuffer } from '../../base/owned.ts';
import { DictionaryTranslator } from './dictionary-translator.ts';
import { Dictionary } from '../dictionary.ts';
import type { StackMerger } from '../merge.ts';
import type { MergedStacks } from '../merged-stacks.ts';
import type { ShowLines } from './shown-lines.ts';

/** The query for which stacks are translated. */
export interface JoiningContext {
  /** Pauses if the current slice of time is used up; otherwise returns undefined. */
  pause(): Promise<void> | undefined;
  /** Counts the memory of new rows. Errors: as in `hold`, if not enough memory is left. */
  readonly budget: { hold(bytes: number): void };
}

/**
 * Number of stacks between two readings of the clock. New stacks with new locations take 10 us
 * each.
 */
const stacksAtOnce = 128;

/**
 * Keeps one growing dictionary for all queries, so that a second query over the same parts only
 * reads arrays. This takes 1-3 ns a stack; a new stack takes 0.3-1 us. A graph of one service takes
 * 10 ms instead of 30 ms. When the dictionary exceeds its limit, the next query starts a new
 * dictionary, and running queries keep the old one.
 */
export class JoinedDictionaries {
  readonly #bytesMax: number;
  #joined: JoinedDictionary | undefined;

  constructor(bytesMax: number = memoryShare('joinedStacks', joinedDictionaryBytesMax)) {
    this.#bytesMax = bytesMax;
  }

  /**
   * Returns the dictionary for an answer. `seeded` has the secret for its hash functions; `show` is
   * called for each dictionary that stacks are translated from.
   */
  current(seeded: Dictionary, show?: ShowLines): JoinedDictionary {
    if (this.#joined === undefined || sumBytes(this.#joined.dictionary) > this.#bytesMax) {
      this.#joined = new JoinedDictionary(seeded, show);
    }
    return this.#joined;
  }
}

/** A dictionary into which stacks of other dictionaries are translated, each stack once. */
export class JoinedDictionary {
  readonly dictionary: Dictionary;
  /** Translators by source dictionary. They are released together with the source dictionary. */
  readonly #translators = new WeakMap<Dictionary, DictionaryTranslator>();
  readonly #show: ShowLines | undefined;
  /** The `number` of the last `renewNames` for each source dictionary. */
  readonly #nameNumbers = new WeakMap<Dictionary, number>();
  /** Trie nodes that new answers no longer use. */
  #leftNodes = 0;
  /** Bytes that queries have been charged for. */
  #heldBytes = 0;

  constructor({ locations, stacks }: Dictionary, show?: ShowLines) {
    this.#show = show;
    this.dictionary = new Dictionary([locations.seed, stacks.seedLow, stacks.seedHigh]);
  }

  /**
   * Uses the current names of addresses for stacks of `from`; `number` grows whenever names change.
   * Rows of earlier answers stay valid. Returns false if most nodes are left over from earlier
   * names; then a new dictionary is better.
   */
  renewNames(from: Dictionary, number: number): boolean {
    const translator = this.#translators.get(from);
    const before = this.#nameNumbers.get(from) ?? -1;
    if (translator !== undefined && before !== number) {
      this.#leftNodes += translator.renewLines(before);
    }
    this.#nameNumbers.set(from, number);
    return this.#leftNodes * 2 <= this.dictionary.stacks.nodeCount;
  }

  /** Returns the translation of each location of `from`; 0 = none. */
  translatedLocations(from: Dictionary): Int32Array {
    return this.#findTranslator(from).translatedLocations;
  }

  /** Translates distinct stacks of `from`. The rows stay in the same order. */
  translate(from: Dictionary, { stacks, values }: MergedStacks): MergedStacks {
    return { stacks: translateAll(this.#findTranslator(from), stacks), values };
  }

  /** Returns the stack that equals a stack of another dictionary. */
  stack(from: Dictionary, row: number): number {
    return this.#findTranslator(from).stack(row);
  }

  /**
   * Like `translate`, but pauses between stacks if necessary. The query that adds rows is charged
   * for their memory until it ends; after that, they count as cached.
   *
   * Errors: those of the context.
   */
  async translatePausing(
    from: Dictionary,
    { stacks, values }: MergedStacks,
    context: JoiningContext,
  ): Promise<MergedStacks> {
    const translator = this.#findTranslator(from);
    const translated = new Uint32Array(createOwnedBuffer(stacks.byteLength));
    // Stacks that an earlier query translated take 1-3 ns each, so they need no pause.
    let at = translator.fillKnown(stacks, 0, translated);
    while (at < stacks.length) {
      const end = Math.min(stacks.length, at + stacksAtOnce);
      for (; at < end; at += 1) translated[at] = translator.stack(stacks[at]);
      context.budget.hold(this.#takeGrowth());
      const pausing = context.pause();
      if (pausing !== undefined) await pausing;
      at = translator.fillKnown(stacks, at, translated);
    }
    return { stacks: translated, values };
  }

  /** Sums results of `translate`, or of earlier calls to `sum`. */
  sum(rows: readonly MergedStacks[], merger: StackMerger): MergedStacks {
    if (rows.length === 1 && isAscending(rows[0].stacks)) return rows[0];
    const rowCount = rows.reduce((sum, { stacks }) => sum + stacks.length, 0);
    return merger.collapse(rows, rowCount, this.dictionary.stacks.length);
  }

  /** Returns the bytes of rows that were added since the last call. */
  #takeGrowth(): number {
    const bytes = sumBytes(this.dictionary);
    const growth = bytes - this.#heldBytes;
    this.#heldBytes = bytes;
    return growth;
  }

  #findTranslator(from: Dictionary): DictionaryTranslator {
    const known = this.#translators.get(from);
    if (known !== undefined) return known;
    const translator = new DictionaryTranslator(from, this.dictionary, 'node', this.#show?.(from));
    this.#translators.set(from, translator);
    return translator;
  }
}

function translateAll(translator: DictionaryTranslator, stacks: Uint32Array): Uint32Array {
  const translated = new Uint32Array(stacks.length);
  for (let i = 0; i < stacks.length; i += 1) translated[i] = translator.stack(stacks[i]);
  return translated;
}

/**
 * Returns true if the translated stacks are distinct and in ascending order, so that rows need no
 * summing.
 */
function isAscending(stacks: Uint32Array): boolean {
  for (let i = 1; i < stacks.length; i += 1) if (stacks[i - 1] >= stacks[i]) return false;
  return true;
}

/** Approximate memory of a dictionary's tables: columns, their hash tables, the trie of names. */
function sumBytes({ strings, functions, locations, stacks, callNodes }: Dictionary): number {
  const rows = strings.length + functions.length + stacks.length;
  const nodes = stacks.nodeCount + callNodes.length;
  return strings.starts[strings.length] + rows * 40 + nodes * 32 + locations.length * 80;
}
