// Merged selections that are kept: another trim, view or report of the same stacks reads no rows.
import type { Dictionary } from '../../model/dictionary.ts';
import { AnswerCache } from '../kept/answer-cache.ts';
import type { RecordingQuerier } from '../kept/recording-querier.ts';
import type { MergedSelection, SelectionFacts } from './selection-merger.ts';

interface KeptMerge {
  readonly merge: SelectionFacts;
  readonly groups: MergedSelection['stacks']['groups'];
  /** Weak: symbols of a block stay in memory as long as the cache of blocks says. */
  readonly dictionary: WeakRef<Dictionary> | undefined;
  readonly reads: RecordingQuerier;
}

/** What a group takes besides its stacks, about. */
const groupBytes = 200;

/** Keeps merges by question, up to a number of bytes; 0: none. */
export class MergeCache {
  readonly #cache: AnswerCache<KeptMerge>;

  constructor(bytesMax: number) {
    this.#cache = new AnswerCache(bytesMax);
  }

  /** A merge that would be made the same now, and what was read for it. */
  async get(
    key: string,
  ): Promise<{ readonly merged: MergedSelection; readonly reads: RecordingQuerier } | undefined> {
    const kept = await this.#cache.get(key);
    if (kept === undefined) return undefined;
    const dictionary = kept.dictionary?.deref();
    if (dictionary === undefined && kept.dictionary !== undefined) return undefined;
    const stacks = { dictionary, groups: kept.groups };
    return { merged: { ...kept.merge, stacks }, reads: kept.reads };
  }

  /** Keeps a merge, unless it lacks something, or what was read has changed. */
  async put(
    key: string,
    { stacks, ...merge }: MergedSelection,
    reads: RecordingQuerier,
  ): Promise<void> {
    if (merge.missing.length > 0) return;
    const { dictionary, groups } = stacks;
    let bytes = 0;
    for (const { merged } of groups) {
      bytes += groupBytes + merged.stacks.byteLength + merged.values.byteLength;
    }
    const weak = dictionary && new WeakRef(dictionary);
    await this.#cache.put(key, { merge, groups, dictionary: weak, reads }, bytes, reads);
  }
}
