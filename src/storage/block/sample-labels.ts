// Sample labels in a block: selects the rows that match, and lists their labels.
import type { Dictionary } from '../../model/dictionary.ts';
import type { LabelMatcher } from '../../model/matcher.ts';
import type { SampleLabelsIndex, StringIndex } from '../../model/rows.ts';
import { decodeRows } from '../chunk/decode-rows.ts';
import { labelsPlace, StackDictionary } from '../chunk/stack-dictionary.ts';
import type { BlockContent } from './block-content.ts';
import { isWholeChunk, type ChunkSpan } from './coverage.ts';
import { includesRef } from './index/posting-lists.ts';

const encoder = new TextEncoder();

/**
 * Returns the label sets (SampleLabelsIndex) of the rows in a span. Includes 0 if some rows have no
 * labels.
 */
export async function readLabelSets(content: BlockContent, span: ChunkSpan): Promise<Set<number>> {
  const { chunk, first, end } = span;
  if (!chunk.isLabelled) return new Set([0]);
  const stacks = await content.section(chunk, 'stacks');
  if (isWholeChunk(span) && !chunk.hasLabelsInRows) {
    const dictionary = new StackDictionary();
    dictionary.read(stacks);
    if (dictionary.labelsPlace !== labelsPlace.entries) return new Set([0]);
    return new Set(dictionary.labels.subarray(0, dictionary.entryCount));
  }
  const rows = await content.section(chunk, 'rows');
  return new Set(decodeRows({ stacks, rows }, first, end).sampleLabels ?? [0]);
}

/**
 * Matches rows by their sample labels, for one query. Streams with the same undecided matchers
 * share a filter.
 */
export class SampleLabelRules {
  readonly #matchers: readonly LabelMatcher[];
  /** For each matcher, the streams that have its label only on their samples. */
  readonly #undecided: readonly Uint32Array[];
  readonly #filters = new Map<string, Uint8Array>();

  constructor(matchers: readonly LabelMatcher[], undecided: readonly Uint32Array[]) {
    this.#matchers = matchers;
    this.#undecided = undecided;
  }

  /** True if the rows of some streams must be checked. */
  get areNeeded(): boolean {
    return this.#undecided.some((refs) => refs.length > 0);
  }

  /**
   * Returns a filter with 1 for each label set that satisfies the undecided matchers. The labels of
   * the stream itself have already decided the other matchers.
   */
  async filterFor(
    ref: number,
    dictionary: () => Dictionary | Promise<Dictionary>,
  ): Promise<Uint8Array | undefined> {
    const matchers = this.#matchers.filter((_, i) => includesRef(this.#undecided[i], ref));
    if (matchers.length === 0) return undefined;
    const key = matchers.map((matcher) => this.#matchers.indexOf(matcher)).join();
    let filter = this.#filters.get(key);
    if (filter === undefined) {
      filter = filterLabelSets(await dictionary(), matchers);
      this.#filters.set(key, filter);
    }
    return filter;
  }
}

function filterLabelSets(dictionary: Dictionary, matchers: readonly LabelMatcher[]): Uint8Array {
  const { sampleLabels, strings } = dictionary;
  const filter = new Uint8Array(sampleLabels.length).fill(1);
  for (const matcher of matchers) {
    const decisions = new Map<number, boolean>();
    const name = encoder.encode(matcher.name);
    const key = strings.find(name, 0, name.length);
    for (let row = 0; row < filter.length; row += 1) {
      const text = sampleLabels.findText(row as SampleLabelsIndex, key);
      let matches = decisions.get(text);
      if (matches === undefined) {
        matches = matcher.matches(strings.text(text));
        decisions.set(text, matches);
      }
      if (!matches) filter[row] = 0;
    }
  }
  return filter;
}

/** Calls `found` for each string label of the given label sets. */
export function forEachTextLabel(
  { sampleLabels }: Dictionary,
  sets: Iterable<number>,
  found: (name: StringIndex, text: StringIndex) => void,
): void {
  const { entryStart, key, text } = sampleLabels;
  for (const set of sets) {
    for (let i = entryStart[set]; i < entryStart[set + 1]; i += 1) {
      if (text[i] !== 0) found(key[i] as StringIndex, text[i] as StringIndex);
    }
  }
}
