// The index from labels and profile types to streams, with Prometheus' matching.
import { profileNameLabel } from '../model/labels.ts';
import type { LabelMatcher } from '../model/matcher.ts';
import { filtered, Postings, union } from './postings.ts';
import type { Stream } from './stream.ts';

/**
 * Finds the streams that may satisfy matchers. A stream without a label has the value "" for it,
 * unless its samples have that label: then it is a candidate, and its rows decide.
 */
export class LabelIndex {
  private readonly all = new Postings();
  /** Label name -> value -> streams. The profile's name is under `__name__`. */
  private readonly values = new Map<string, Map<string, Postings>>();
  /** Name of a text label of samples -> streams whose samples have it and that lack the label. */
  private readonly sampleNames = new Map<string, Postings>();
  /** Text of a profile type -> streams. */
  private readonly types = new Map<string, Postings>();

  add(stream: Stream): void {
    this.all.add(stream.ref);
    this.addLabel(profileNameLabel, stream.key.name, stream.ref);
    for (const { name, value } of stream.key.labels) this.addLabel(name, value, stream.ref);
    for (const type of stream.typeTexts) postingsOf(this.types, type).add(stream.ref);
  }

  /** Notes that samples of a stream have a text label that the stream itself lacks. */
  addSampleName(stream: Stream, name: string): void {
    postingsOf(this.sampleNames, name).add(stream.ref);
  }

  /** Refs of the streams that may match, ascending; `type` as text, undefined = every type. */
  candidates(matchers: readonly LabelMatcher[], type: string | undefined): Uint32Array {
    let refs: Uint32Array | undefined;
    if (type !== undefined) refs = this.types.get(type)?.view() ?? none;
    for (const matcher of matchers) {
      if (matcher.matches('')) continue;
      const matching = this.matching(matcher);
      refs = refs === undefined ? matching : filtered(refs, matching, true);
    }
    let result = refs ?? this.all.view();
    for (const matcher of matchers) {
      if (result.length === 0) break;
      if (matcher.matches('')) result = filtered(result, this.contradicting(matcher), false);
    }
    return result;
  }

  /** Texts of all types that any stream has. */
  typeTexts(): Iterable<string> {
    return this.types.keys();
  }

  /** Streams of one type. */
  withType(type: string): Uint32Array {
    return this.types.get(type)?.view() ?? none;
  }

  /** Streams that have the label with a matching value, or leave it to their rows. */
  private matching(matcher: LabelMatcher): Uint32Array {
    const sets: Uint32Array[] = [];
    const values = this.values.get(matcher.name);
    if (matcher.operator === '=') {
      const postings = values?.get(matcher.value);
      if (postings) sets.push(postings.view());
    } else {
      for (const [value, postings] of values ?? []) {
        if (matcher.matches(value)) sets.push(postings.view());
      }
    }
    const undecided = this.sampleNames.get(matcher.name);
    if (undecided) sets.push(undecided.view());
    return union(sets);
  }

  /** Streams that have the label with a value that does not match. */
  private contradicting(matcher: LabelMatcher): Uint32Array {
    const sets: Uint32Array[] = [];
    for (const [value, postings] of this.values.get(matcher.name) ?? []) {
      if (!matcher.matches(value)) sets.push(postings.view());
    }
    return union(sets);
  }

  private addLabel(name: string, value: string, ref: number): void {
    let values = this.values.get(name);
    if (values === undefined) {
      values = new Map();
      this.values.set(name, values);
    }
    postingsOf(values, value).add(ref);
  }
}

const none = new Uint32Array(0);

function postingsOf(map: Map<string, Postings>, key: string): Postings {
  let postings = map.get(key);
  if (postings === undefined) {
    postings = new Postings();
    map.set(key, postings);
  }
  return postings;
}
