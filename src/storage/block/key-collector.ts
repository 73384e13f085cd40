// The keys of the streams of a block that is being written, as numbers; sorted when all are there.
import { assert } from '../../base/assert.ts';
import { grown } from '../../model/column.ts';
import { shapeText, type Shape } from '../shape.ts';
import type { StreamKey } from '../stream-key.ts';
import { compareTexts } from './directory.ts';
import { allRefs } from './posting-lists.ts';
import { sortRows } from './sorting.ts';

/** Texts by number, in the order of their first use. */
class TextNumbers {
  readonly texts: string[] = [];
  private readonly numbers = new Map<string, number>();

  number(text: string): number {
    let number = this.numbers.get(text);
    if (number === undefined) {
      number = this.texts.push(text) - 1;
      this.numbers.set(text, number);
    }
    return number;
  }
}

/** A table in ascending order: texts, and the rank of each number. */
export interface RankedTexts {
  readonly texts: readonly string[];
  readonly ranks: Uint32Array;
}

/** What the collector knows when all streams are there. */
export interface SortedKeys {
  /** Streams as they were added, in the order of their keys. */
  readonly order: Uint32Array;
  readonly shapes: readonly Shape[];
  readonly labelNames: readonly string[];
  /** By rank of the name: its values. */
  readonly labelValues: readonly (readonly string[])[];
  /** Words of each stream's key: shape, then name and value of each label; all are ranks. */
  readonly words: Uint32Array;
  /** Where each stream's words start; one more element than streams. */
  readonly starts: Uint32Array;
}

/** About fifty bytes a stream. */
export class KeyCollector {
  length = 0;
  private readonly shapes: Shape[] = [];
  private readonly shapeNumbers = new TextNumbers();
  private readonly names = new TextNumbers();
  /** By number of the name. */
  private readonly values: TextNumbers[] = [];
  private words = new Uint32Array(64);
  private starts = new Uint32Array(64);

  add(key: StreamKey): void {
    const start = this.starts[this.length];
    const end = start + 1 + key.labels.length * 2;
    this.words = grown(this.words, end);
    this.starts = grown(this.starts, this.length + 2);
    this.words[start] = this.shapeNumber(key);
    let at = start + 1;
    for (const { name, value } of key.labels) {
      const number = this.names.number(name);
      this.values[number] ??= new TextNumbers();
      this.words[at] = number;
      this.words[at + 1] = this.values[number].number(value);
      at += 2;
    }
    this.length += 1;
    this.starts[this.length] = end;
  }

  private shapeNumber(key: StreamKey): number {
    const number = this.shapeNumbers.number(shapeText(key));
    if (number === this.shapes.length) {
      const { name, sampleTypes, periodType, delta } = key;
      this.shapes.push({ name, sampleTypes, periodType, delta });
    }
    return number;
  }

  /** Sorts names, values, shapes and streams. The collector is used up. */
  async sort(pause: () => Promise<void>): Promise<SortedKeys> {
    const shapes = await rank(this.shapeNumbers.texts, pause);
    const names = await rank(this.names.texts, pause);
    const values: RankedTexts[] = [];
    for (const { texts } of this.values) values.push(await rank(texts, pause));
    await this.renumber(shapes, names, values, pause);
    const { words, starts } = this;
    const compare = (a: number, b: number): number =>
      compareWords(words, starts[a], starts[a + 1], starts[b], starts[b + 1]);
    const order = await sortRows(allRefs(this.length), compare, pause);
    for (let i = 1; i < order.length; i += 1) {
      assert(compare(order[i - 1], order[i]) < 0, 'a block has each stream once');
    }
    const sortedShapes: Shape[] = [];
    for (const [number, shape] of this.shapes.entries()) sortedShapes[shapes.ranks[number]] = shape;
    const labelValues: (readonly string[])[] = [];
    for (const [number, { texts }] of values.entries()) labelValues[names.ranks[number]] = texts;
    return { order, shapes: sortedShapes, labelNames: names.texts, labelValues, words, starts };
  }

  /** Puts ranks in place of numbers. */
  private async renumber(
    shapes: RankedTexts,
    names: RankedTexts,
    values: readonly RankedTexts[],
    pause: () => Promise<void>,
  ): Promise<void> {
    const { words, starts } = this;
    for (let stream = 0; stream < this.length; stream += 1) {
      words[starts[stream]] = shapes.ranks[words[starts[stream]]];
      for (let at = starts[stream] + 1; at < starts[stream + 1]; at += 2) {
        words[at + 1] = values[words[at]].ranks[words[at + 1]];
        words[at] = names.ranks[words[at]];
      }
      if (stream % 8192 === 8191) await pause();
    }
  }
}

async function rank(texts: readonly string[], pause: () => Promise<void>): Promise<RankedTexts> {
  const order = await sortRows(
    allRefs(texts.length),
    (a, b) => compareTexts(texts[a], texts[b]),
    pause,
  );
  const ranks = new Uint32Array(texts.length);
  for (let i = 0; i < order.length; i += 1) ranks[order[i]] = i;
  return { texts: Array.from(order, (number) => texts[number]), ranks };
}

function compareWords(
  words: Uint32Array,
  a: number,
  aEnd: number,
  b: number,
  bEnd: number,
): number {
  for (; a < aEnd && b < bEnd; a += 1, b += 1) {
    if (words[a] !== words[b]) return words[a] - words[b];
  }
  return aEnd - a - (bEnd - b);
}
