// Finds the streams of a block by labels and profile type, with the matching rules of Prometheus.
import { profileNameLabel } from '../../model/labels.ts';
import type { LabelMatcher } from '../../model/matcher.ts';
import { equalProfileTypes, type ProfileType } from '../../model/profile-type.ts';
import { filtered, union } from '../series/postings.ts';
import { formatShape, listProfileTypes, type Shape, type StreamKey } from '../series/stream-key.ts';
import type { BlockContent } from './block-content.ts';
import type { Directory } from './index/directory.ts';
import { allRefs, type PostingLists } from './index/posting-lists.ts';

const none = new Uint32Array(0);
/**
 * Number of values between two pauses. Matching a value with a regular expression takes a
 * microsecond or two.
 */
const valuesPerPause = 1024;

/** Function that is awaited about every millisecond, so that other work can run. */
export type Pause = () => Promise<void> | undefined;

/**
 * Searches streams by label. A stream without a label has the value "" for it. If the samples of
 * the stream have that label, the stream remains a candidate, and each of its rows is checked.
 */
export class LabelSearch {
  readonly #content: BlockContent;
  readonly #directory: Directory;
  readonly #pause: Pause;

  constructor(content: BlockContent, directory: Directory, pause: Pause) {
    this.#content = content;
    this.#directory = directory;
    this.#pause = pause;
  }

  /**
   * Returns the refs of streams that may match, ascending; an undefined type matches every type.
   * Reads values and postings only of the labels in matchers.
   */
  async candidates(
    matchers: readonly LabelMatcher[],
    type: ProfileType | undefined,
  ): Promise<Uint32Array> {
    let refs = type === undefined ? undefined : await this.ofType(type);
    for (const matcher of matchers) {
      if (matcher.matches('')) continue;
      const own = await this.#withValue(matcher, true);
      const matching = union([own, (await this.sampleStreams(matcher.name)).list(0)]);
      refs = refs === undefined ? matching : filtered(refs, matching, true);
    }
    refs ??= allRefs(this.#directory.streamCount);
    for (const matcher of matchers) {
      if (refs.length === 0) break;
      if (matcher.matches('')) refs = filtered(refs, await this.#withValue(matcher, false), false);
    }
    return refs;
  }

  /** Returns the streams with a profile type. */
  async ofType(type: ProfileType): Promise<Uint32Array> {
    const sets: Uint32Array[] = [];
    for (const [shape, table] of this.#directory.shapes.entries()) {
      const types = listProfileTypes(table);
      if (types.some((one) => equalProfileTypes(one, type))) sets.push(await this.ofShape(shape));
      if (shape % valuesPerPause === valuesPerPause - 1) await this.#pause();
    }
    return union(sets);
  }

  /** Returns a set that contains the stream with exactly this key, if there is one. */
  async withKey(key: StreamKey): Promise<Uint32Array> {
    const { shapes, labels } = this.#directory;
    const shape = findShape(shapes, formatShape(key));
    if (shape < 0) return none;
    let refs = await this.ofShape(shape);
    for (const { name, value } of key.labels) {
      const label = labels.find(name);
      if (label < 0 || refs.length === 0) return none;
      const row = (await this.#content.labelTexts(this.#directory, label)).find(value);
      if (row < 0) return none;
      const lists = await this.#content.labelPostings(this.#directory, label);
      refs = filtered(refs, lists.list(row), true);
    }
    return refs;
  }

  async ofShape(shape: number): Promise<Uint32Array> {
    const { shapes, streamCount } = this.#directory;
    return (await this.#content.postings(shapes[shape].postings, 1, streamCount)).list(0);
  }

  /**
   * Returns two lists of the streams whose samples have the given string label: list 0 has the
   * streams without a series label of that name, list 1 the streams with one.
   */
  async sampleStreams(name: string): Promise<Pick<PostingLists, 'list'>> {
    const { sampleNames, streamCount } = this.#directory;
    const postings = sampleNames.get(name);
    if (postings === undefined) return { list: () => none };
    return this.#content.postings(postings, 2, streamCount);
  }

  /**
   * Returns the streams whose value of the label matches; with `isMatch` false, the streams whose
   * value does not match.
   */
  async #withValue(matcher: LabelMatcher, isMatch: boolean): Promise<Uint32Array> {
    if (matcher.name === profileNameLabel) return this.#withName(matcher, isMatch);
    const label = this.#directory.labels.find(matcher.name);
    if (label < 0) return none;
    const content = this.#content;
    const directory = this.#directory;
    const texts = await content.labelTexts(directory, label);
    const lists = await content.labelPostings(directory, label);
    const valueCount = texts.length;
    if (matcher.operator === '=' && isMatch) {
      const value = texts.find(matcher.value);
      return value < 0 ? none : lists.list(value);
    }
    const sets: Uint32Array[] = [];
    for (let value = 0; value < valueCount; value += 1) {
      if (matcher.matches(texts.text(value)) === isMatch) sets.push(lists.list(value));
      if (value % valuesPerPause === valuesPerPause - 1) await this.#pause();
    }
    return union(sets);
  }

  async #withName(matcher: LabelMatcher, isMatch: boolean): Promise<Uint32Array> {
    const sets: Uint32Array[] = [];
    for (const [shape, { name }] of this.#directory.shapes.entries()) {
      if (matcher.matches(name) === isMatch) sets.push(await this.ofShape(shape));
      if (shape % valuesPerPause === valuesPerPause - 1) await this.#pause();
    }
    return union(sets);
  }
}

/**
 * Returns the number of the shape with this string form; -1 if there is none. Shapes are sorted by
 * string form.
 */
function findShape(shapes: readonly Shape[], text: string): number {
  let low = 0;
  let high = shapes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (formatShape(shapes[middle]) < text) low = middle + 1;
    else high = middle;
  }
  return low < shapes.length && formatShape(shapes[low]) === text ? low : -1;
}
