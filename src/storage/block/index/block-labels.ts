// Answers questions about the labels and profile types of a block.
import type { LabelMatcher } from '../../../model/matcher.ts';
import type { ProfileType } from '../../../model/profile-type.ts';
import type { SeriesQuery, TimeRange } from '../../interface.ts';
import { filtered } from '../../series/postings.ts';
import { profileTypesOf } from '../../series/stream-key.ts';
import type { BlockContent } from '../block-content.ts';
import { BlockSearch, type SearchOptions, type StreamsQuery } from '../block-search.ts';
import type { Pause } from './label-search.ts';
import { intersects } from './posting-lists.ts';

/** Values between two pauses; a value that is not in memory takes some microseconds. */
const valuesPerPause = 1024;

/** Answers one question. A question about the whole block needs only its indexes. */
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
    const refs = await this.#refsOfWhole(query);
    if (refs === undefined) {
      await this.#addNames(query, names);
      return names;
    }
    const { labels, sampleNames, streamCount } = this.#search.directory;
    for (const { name, valueCount, postings } of labels) {
      const lists = await this.#content.postings(postings, valueCount, streamCount);
      for (let value = 0; value < valueCount && !names.has(name); value += 1) {
        if (intersects(lists.list(value), refs)) names.add(name);
      }
    }
    for (const { name } of sampleNames) {
      const lists = await this.#search.labels.sampleStreams(name);
      if (intersects(lists.list(0), refs) || intersects(lists.list(1), refs)) names.add(name);
    }
    return names;
  }

  async values(name: string, query: SeriesQuery): Promise<Set<string>> {
    const values = new Set<string>();
    const { directory } = this.#search;
    const refs = await this.#refsOfWhole(query);
    if (refs === undefined || directory.sampleNames.some((one) => one.name === name)) {
      await this.#addValues(name, query, values);
      return values;
    }
    const label = directory.labels.findIndex((one) => one.name === name);
    if (label < 0) return values;
    const { valueCount, postings } = directory.labels[label];
    const texts = await this.#content.labelTexts(directory, label);
    const lists = await this.#content.postings(postings, valueCount, directory.streamCount);
    for (let value = 0; value < valueCount; value += 1) {
      if (intersects(lists.list(value), refs)) values.add(texts.text(value));
      if (value % valuesPerPause === valuesPerPause - 1) await this.#pause();
    }
    return values;
  }

  async types(range: TimeRange, matchers: readonly LabelMatcher[]): Promise<ProfileType[]> {
    const types: ProfileType[] = [];
    const search = this.#search;
    const query = { matchers, range };
    const matching =
      matchers.length === 0 ? undefined : await search.labels.candidates(matchers, undefined);
    for (const [shape, table] of search.directory.shapes.entries()) {
      const all = await search.labels.ofShape(shape);
      const refs = matching === undefined ? all : filtered(all, matching, true);
      if (await this.#hasProfiles(refs, query)) types.push(...profileTypesOf(table));
    }
    return types;
  }

  /** Returns true if streams that match, sample labels aside, have profiles that belong. */
  async #hasProfiles(refs: Uint32Array, query: StreamsQuery): Promise<boolean> {
    if (refs.length === 0) return false;
    if (this.#isWhole(query.range) && !(await this.#search.rules(query)).areNeeded) return true;
    for await (const { hasRows } of this.#search.candidatesAmong(refs, query)) {
      if (hasRows) return true;
    }
    return false;
  }

  /** Returns the streams that match if all of their profiles belong, else undefined. */
  async #refsOfWhole({ matchers, profileType, range }: SeriesQuery) {
    if (!this.#isWhole(range)) return undefined;
    if ((await this.#search.rules({ matchers })).areNeeded) return undefined;
    return this.#search.labels.candidates(matchers, profileType);
  }

  #isWhole({ from, to }: TimeRange): boolean {
    const { minNanos, maxNanos } = this.#content.file.facts;
    return !this.#hasDeletions && from <= minNanos && maxNanos <= to;
  }

  async #addNames(query: SeriesQuery, names: Set<string>): Promise<void> {
    for await (const match of this.#search.matches(query)) {
      for (const { name } of match.coverage.stream.key.labels) names.add(name);
      const { strings } = await this.#content.dictionary();
      await this.#search.forEachSampleLabel(match, (name) => names.add(strings.text(name)));
    }
  }

  async #addValues(name: string, query: SeriesQuery, values: Set<string>): Promise<void> {
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
