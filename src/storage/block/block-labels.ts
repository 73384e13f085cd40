// Answers queries about the labels and profile types of a block.
import type { LabelMatcher } from '../../model/matcher.ts';
import type { ProfileType } from '../../model/profile-type.ts';
import type { SeriesQuery, TimeRange } from '../interface.ts';
import { filtered } from '../series/postings.ts';
import { listProfileTypes } from '../series/stream-key.ts';
import type { BlockContent } from './block-content.ts';
import { BlockSearch, type SearchOptions, type StreamsQuery } from './block-search.ts';
import type { Pause } from './label-search.ts';
import { intersects } from './index/posting-lists.ts';

/** Number of values between two pauses. Reading a value from the file takes a few microseconds. */
const valuesPerPause = 1024;
/**
 * Number of streams whose labels can be read in the time that it takes to read the postings of one
 * label.
 */
const streamsPerLabel = 32;

/**
 * Answers one query. Reads only indexes, with these exceptions: it also reads the profiles of
 * streams with sample labels, of streams that only partly overlap the range, and of blocks with
 * deletions.
 */
export class BlockLabels {
  readonly #content: BlockContent;
  readonly #search: BlockSearch;
  readonly #hasDeletions: boolean;
  readonly #pause: Pause;

  private constructor(options: SearchOptions, search: BlockSearch) {
    this.#content = options.content;
    this.#search = search;
    this.#hasDeletions = options.deletions.length > 0;
    this.#pause = options.pause;
  }

  static async begin(options: SearchOptions): Promise<BlockLabels> {
    return new BlockLabels(options, await BlockSearch.begin(options));
  }

  async names(query: SeriesQuery): Promise<Set<string>> {
    const names = new Set<string>();
    if (!this.#isTouched(query.range)) return names;
    if (await this.#readsProfiles(query)) await this.#addNamesOfMatches(query, names);
    else await this.#addNames(query, names);
    return names;
  }

  async values(name: string, query: SeriesQuery): Promise<Set<string>> {
    const values = new Set<string>();
    if (!this.#isTouched(query.range)) return values;
    if (await this.#readsProfiles(query)) await this.#addValuesOfMatches(name, query, values);
    else await this.#addValues(name, query, values);
    return values;
  }

  async types(range: TimeRange, matchers: readonly LabelMatcher[]): Promise<ProfileType[]> {
    const types: ProfileType[] = [];
    if (!this.#isTouched(range)) return types;
    const search = this.#search;
    const readsProfiles = await this.#readsProfiles({ matchers, range });
    const isWhole = !readsProfiles && this.#isWhole(range);
    const matching =
      matchers.length === 0 ? undefined : await search.labels.candidates(matchers, undefined);
    for (const [shape, table] of search.directory.shapes.entries()) {
      const pausing = this.#pause();
      if (pausing !== undefined) await pausing;
      let has = isWhole && matching === undefined;
      if (!has) {
        const all = await search.labels.ofShape(shape);
        const refs = matching === undefined ? all : filtered(all, matching, true);
        has = isWhole
          ? refs.length > 0
          : await this.#hasProfiles(refs, { matchers, range }, readsProfiles);
      }
      if (has) types.push(...listProfileTypes(table));
    }
    return types;
  }

  /** Returns true if any stream of `refs` has a profile that matches the query. */
  async #hasProfiles(
    refs: Uint32Array,
    query: StreamsQuery,
    readsProfiles: boolean,
  ): Promise<boolean> {
    if (!readsProfiles) {
      for await (const { length } of this.#search.streamsIn(query.range, refs)) {
        if (length > 0) return true;
      }
      return false;
    }
    for await (const { hasRows } of this.#search.candidatesAmong(refs, query)) {
      if (hasRows) return true;
    }
    return false;
  }

  /** Returns true if profiles have to be read because of deletions or matchers on sample labels. */
  async #readsProfiles(query: StreamsQuery): Promise<boolean> {
    return this.#hasDeletions || (await this.#search.rules(query)).areNeeded;
  }

  /** Returns true if the block may have a profile in the range. */
  #isTouched({ from, to }: TimeRange): boolean {
    const { minNanos, maxNanos } = this.#content.file.facts;
    return from <= maxNanos && minNanos <= to;
  }

  #isWhole({ from, to }: TimeRange): boolean {
    const { minNanos, maxNanos } = this.#content.file.facts;
    return from <= minNanos && maxNanos <= to;
  }

  async #addNames(query: SeriesQuery, names: Set<string>): Promise<void> {
    const { matchers, profileType, range } = query;
    const { labels, sampleNames, streamCount } = this.#search.directory;
    const refs = await this.#search.labels.candidates(matchers, profileType);
    if (!this.#isWhole(range)) {
      await this.#addNamesIn(range, refs, names);
      return;
    }
    if (refs.length === streamCount) {
      // Each label of a block occurs on at least one stream.
      for (const texts of [labels.names, sampleNames.keys()]) {
        for (const name of texts) names.add(name);
      }
      return;
    }
    if (refs.length < labels.length * streamsPerLabel) {
      for await (const found of this.#search.listLabels(refs)) {
        for (const label of found) names.add(labels.names[label]);
      }
    } else {
      for (const [label, name] of labels.names.entries()) {
        if (await this.#hasLabel(label, refs)) names.add(name);
      }
    }
    await this.#addSampleNames(refs, names);
  }

  /** Returns true if at least one of the streams `refs` has the label `label`. */
  async #hasLabel(label: number, refs: Uint32Array): Promise<boolean> {
    const { directory } = this.#search;
    const lists = await this.#content.labelPostings(directory, label);
    for (let value = 0; value < directory.labels.valueCount(label); value += 1) {
      if (intersects(lists.list(value), refs)) return true;
      if (value % valuesPerPause === valuesPerPause - 1) await this.#pause();
    }
    return false;
  }

  /** Adds the names of sample labels of the given streams. */
  async #addSampleNames(refs: Uint32Array, names: Set<string>): Promise<void> {
    for (const name of this.#search.directory.sampleNames.keys()) {
      if (names.has(name)) continue;
      const lists = await this.#search.labels.sampleStreams(name);
      if (intersects(lists.list(0), refs) || intersects(lists.list(1), refs)) names.add(name);
      const pausing = this.#pause();
      if (pausing !== undefined) await pausing;
    }
  }

  async #addNamesIn(range: TimeRange, refs: Uint32Array, names: Set<string>): Promise<void> {
    const search = this.#search;
    const isSeen = new Uint8Array(search.directory.labels.length);
    const whole: number[] = [];
    const cut: number[] = [];
    for await (const streams of search.streamsIn(range, refs)) {
      for (const { ref, labels, chunks } of streams) {
        for (let i = 0; i < labels.length; i += 2) isSeen[labels[i]] = 1;
        const isWhole = chunks.every(({ digests: [{ firstNanos, lastNanos }] }) => {
          return range.from <= firstNanos && lastNanos <= range.to;
        });
        (isWhole ? whole : cut).push(ref);
      }
    }
    for (const [label, name] of search.directory.labels.names.entries()) {
      if (isSeen[label] === 1) names.add(name);
    }
    await this.#addSampleNames(Uint32Array.from(whole), names);
    await this.#addSampleNamesOfCut(range, Uint32Array.from(cut), names);
  }

  /**
   * Adds the names of sample labels on streams that only partly overlap the range. For names that
   * have not been found yet, reads the profiles of these streams.
   */
  async #addSampleNamesOfCut(
    range: TimeRange,
    refs: Uint32Array,
    names: Set<string>,
  ): Promise<void> {
    const search = this.#search;
    for (const name of search.directory.sampleNames.keys()) {
      if (names.has(name)) continue;
      const lists = await search.labels.sampleStreams(name);
      for (const list of [lists.list(0), lists.list(1)]) {
        const labelled = filtered(refs, list, true);
        for await (const match of search.candidatesAmong(labelled, { matchers: [], range })) {
          const { strings } = await this.#content.dictionary();
          await search.forEachSampleLabel(match, (row) => names.add(strings.text(row)));
          if (names.has(name)) break;
        }
      }
    }
  }

  async #addValues(name: string, query: SeriesQuery, values: Set<string>): Promise<void> {
    const { matchers, profileType, range } = query;
    const search = this.#search;
    const refs = await search.labels.candidates(matchers, profileType);
    const label = search.directory.labels.find(name);
    if (label >= 0) await this.#addLabelValues(label, range, refs, values);
    if (!search.directory.sampleNames.has(name)) return;
    const lists = await search.labels.sampleStreams(name);
    for (const list of [lists.list(0), lists.list(1)]) {
      const labelled = filtered(refs, list, true);
      for await (const match of search.candidatesAmong(labelled, { matchers: [], range })) {
        const { strings } = await this.#content.dictionary();
        await search.forEachSampleLabel(match, (key, text) => {
          if (strings.text(key) === name) values.add(strings.text(text));
        });
      }
    }
  }

  async #addLabelValues(
    label: number,
    range: TimeRange,
    refs: Uint32Array,
    values: Set<string>,
  ): Promise<void> {
    const { directory } = this.#search;
    const texts = await this.#content.labelTexts(directory, label);
    if (this.#isWhole(range)) {
      const areAll = refs.length === directory.streamCount;
      const lists = areAll ? undefined : await this.#content.labelPostings(directory, label);
      for (let value = 0; value < texts.length; value += 1) {
        if (lists === undefined || intersects(lists.list(value), refs)) {
          values.add(texts.text(value));
        }
        if (value % valuesPerPause === valuesPerPause - 1) await this.#pause();
      }
      return;
    }
    const isSeen = new Uint8Array(texts.length);
    for await (const streams of this.#search.streamsIn(range, refs)) {
      for (const { labels } of streams) {
        for (let i = 0; i < labels.length; i += 2) {
          if (labels[i] === label) isSeen[labels[i + 1]] = 1;
        }
      }
    }
    for (const [value, seen] of isSeen.entries()) if (seen === 1) values.add(texts.text(value));
  }

  async #addNamesOfMatches(query: SeriesQuery, names: Set<string>): Promise<void> {
    for await (const match of this.#search.matches(query)) {
      for (const { name } of match.coverage.stream.key.labels) names.add(name);
      const { strings } = await this.#content.dictionary();
      await this.#search.forEachSampleLabel(match, (name) => names.add(strings.text(name)));
    }
  }

  async #addValuesOfMatches(name: string, query: SeriesQuery, values: Set<string>): Promise<void> {
    const lists = await this.#search.labels.sampleStreams(name);
    const isInSamples = lists.list(0).length + lists.list(1).length > 0;
    for await (const match of this.#search.matches(query)) {
      const { labels } = match.coverage.stream.key;
      for (const label of labels) if (label.name === name) values.add(label.value);
      if (!isInSamples) continue;
      const { strings } = await this.#content.dictionary();
      await this.#search.forEachSampleLabel(match, (key, text) => {
        if (strings.text(key) === name) values.add(strings.text(text));
      });
    }
  }
}
