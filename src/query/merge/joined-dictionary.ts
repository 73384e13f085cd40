// One dictionary for answers that come from several parts, each of which numbers its own stacks.
import { viewDictionaryBytesMax } from '../../base/limits.ts';
import { DictionaryTranslator } from '../../model/dictionary-translator.ts';
import { Dictionary } from '../../model/dictionary.ts';
import type { MergedStacks } from '../../model/merged-stacks.ts';
import type { QueryContext } from '../running/context.ts';

/** A dictionary that stacks of parts are carried over to, each stack once. */
export interface View {
  readonly dictionary: Dictionary;
  /** Rows in the part's order, of stacks of `dictionary`, without two of one stack. */
  translate(from: Dictionary, rows: MergedStacks): MergedStacks;
  /** The same, pausing every few stacks if it is time to. */
  translatePausing(from: Dictionary, rows: MergedStacks, pause: Pause): Promise<MergedStacks>;
}

/** Lets everything else run if it is time to; undefined while it is not. */
type Pause = QueryContext['pause'];

/** Stacks between two looks at the clock: new ones with new locations take 10 us each. */
const stacksAtOnce = 128;

/**
 * Keeps one growing view for all queries, so that the second query over the same parts only reads
 * arrays: 1-3 ns a stack against 0.3-1 us for a new one. Past its limit the next query begins a new
 * one; answers under way keep theirs.
 */
export class ViewDictionary {
  readonly #bytesMax: number;
  #view: GrowingView | undefined;

  constructor(bytesMax: number = viewDictionaryBytesMax) {
    this.#bytesMax = bytesMax;
  }

  /** The view of an answer; `seeded` gives the secret of its hash functions. */
  current(seeded: Dictionary): View {
    if (this.#view === undefined || bytesOf(this.#view.dictionary) > this.#bytesMax) {
      this.#view = new GrowingView(seeded);
    }
    return this.#view;
  }
}

class GrowingView implements View {
  readonly dictionary: Dictionary;
  /** What a part knows is let go of with its dictionary. */
  readonly #translators = new WeakMap<Dictionary, DictionaryTranslator>();

  constructor({ locations, stacks }: Dictionary) {
    this.dictionary = new Dictionary([locations.seed, stacks.seedLow, stacks.seedHigh]);
  }

  translate(from: Dictionary, { stacks, values }: MergedStacks): MergedStacks {
    return { stacks: translateAll(this.#translatorOf(from), stacks), values };
  }

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

  #translatorOf(from: Dictionary): DictionaryTranslator {
    const known = this.#translators.get(from);
    if (known !== undefined) return known;
    const translator = new DictionaryTranslator(from, this.dictionary);
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
