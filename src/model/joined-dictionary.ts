// One dictionary for stacks that come from several dictionaries, each of which numbers its own.
import { joinedDictionaryBytesMax } from '../base/limits.ts';
import { DictionaryTranslator, type LocationNames } from './dictionary-translator.ts';
import { Dictionary } from './dictionary.ts';
import type { StackMerger } from './merge.ts';
import type { MergedStacks } from './merged-stacks.ts';

/** Lets everything else run if it is time to; undefined while it is not. */
type Pause = () => Promise<void> | undefined;

/** Stacks between two looks at the clock: new ones with new locations take 10 us each. */
const stacksAtOnce = 128;

/**
 * Keeps one growing dictionary for all queries, so that the second query over the same parts only
 * reads arrays: 1-3 ns a stack against 0.3-1 us for a new one. Past its limit the next query begins
 * a new one; answers under way keep theirs.
 */
export class JoinedDictionaries {
  readonly #bytesMax: number;
  #joined: JoinedDictionary | undefined;

  constructor(bytesMax: number = joinedDictionaryBytesMax) {
    this.#bytesMax = bytesMax;
  }

  /**
   * The dictionary of an answer; `seeded` gives the secret of its hash functions. `names` is asked
   * for locations that have none.
   */
  current(seeded: Dictionary, names?: LocationNames): JoinedDictionary {
    if (this.#joined === undefined || bytesOf(this.#joined.dictionary) > this.#bytesMax) {
      this.#joined = new JoinedDictionary(seeded, names);
    }
    return this.#joined;
  }
}

/** A dictionary that stacks of others are carried over to, each stack once. */
export class JoinedDictionary {
  readonly dictionary: Dictionary;
  /** What is known of a dictionary goes with it. */
  readonly #translators = new WeakMap<Dictionary, DictionaryTranslator>();
  readonly #names: LocationNames | undefined;

  constructor({ locations, stacks }: Dictionary, names?: LocationNames) {
    this.#names = names;
    this.dictionary = new Dictionary([locations.seed, stacks.seedLow, stacks.seedHigh]);
  }

  /** Rows in the order given, of stacks of `dictionary`, without two of one stack. */
  translate(from: Dictionary, { stacks, values }: MergedStacks): MergedStacks {
    return { stacks: translateAll(this.#translatorOf(from), stacks), values };
  }

  /** The stack that equals one of another dictionary. */
  stack(from: Dictionary, row: number): number {
    return this.#translatorOf(from).stack(row);
  }

  /** The same, pausing every few stacks if it is time to. */
  async translatePausing(
    from: Dictionary,
    { stacks, values }: MergedStacks,
    pause: Pause,
  ): Promise<MergedStacks> {
    const translator = this.#translatorOf(from);
    const translated = new Uint32Array(stacks.length);
    for (let i = 0; i < stacks.length; i += stacksAtOnce) {
      translated.set(translateAll(translator, stacks.subarray(i, i + stacksAtOnce)), i);
      const pausing = pause();
      if (pausing !== undefined) await pausing;
    }
    return { stacks: translated, values };
  }

  /** The sum of what `translate` gave, or of such sums. */
  sum(rows: readonly MergedStacks[], merger: StackMerger): MergedStacks {
    const rowCount = rows.reduce((sum, { stacks }) => sum + stacks.length, 0);
    return merger.collapse(rows, rowCount, this.dictionary.stacks.length);
  }

  #translatorOf(from: Dictionary): DictionaryTranslator {
    const known = this.#translators.get(from);
    if (known !== undefined) return known;
    const translator = new DictionaryTranslator(from, this.dictionary, 'node', this.#names);
    this.#translators.set(from, translator);
    return translator;
  }
}

function translateAll(translator: DictionaryTranslator, stacks: Uint32Array): Uint32Array {
  const translated = new Uint32Array(stacks.length);
  for (let i = 0; i < stacks.length; i += 1) translated[i] = translator.stack(stacks[i]);
  return translated;
}

/** Bytes of a dictionary's tables, about: columns, their hash tables, the trie of names. */
function bytesOf({ strings, functions, locations, stacks, callNodes }: Dictionary): number {
  const rows = strings.length + functions.length + stacks.length;
  const nodes = stacks.nodeCount + callNodes.length;
  return strings.starts[strings.length] + rows * 40 + nodes * 32 + locations.length * 80;
}
