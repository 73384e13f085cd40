// Collects the keys of a block's streams, and sorts them at the end.
import { assert } from '../../../base/assert.ts';
import { grown } from '../../../model/column.ts';
import type { LabelPairs } from '../../series/label-pairs.ts';
import { formatShape, type Shape, type StreamKey } from '../../series/stream-key.ts';
import { compareTexts } from './compare-keys.ts';
import { allRefs } from './posting-lists.ts';
import { sortRows } from './sorting.ts';

/** Number of rows between two pauses. A row takes a fraction of a microsecond. */
const rowsPerPause = 8192;

/** Labels of all streams, sorted by name and then by value. */
export interface SortedLabels {
  readonly names: readonly string[];
  /**
   * For each name, the rank of its first label. Names are in the order of their ranks; the last
   * element is the number of labels.
   */
  readonly firsts: Uint32Array;
  /**
   * For each label, its row in the table of labels, and the rank of its name. Labels are in the
   * order of their ranks.
   */
  readonly rows: Uint32Array;
  readonly nameOf: Uint32Array;
}

/** Sorted keys of all streams. */
export interface SortedKeys {
  /** Stream numbers, in the order of their keys. */
  readonly order: Uint32Array;
  readonly shapes: readonly Shape[];
  readonly labels: SortedLabels;
  /** Words of each stream's key: rank of its shape, then ranks of its labels. */
  readonly words: Uint32Array;
  /** Start of each stream's words. There is one more element than there are streams. */
  readonly starts: Uint32Array;
}

/**
 * Collects keys, in four bytes for each label and eight for each stream. The caller keeps the table
 * of labels.
 */
export class KeyCollector {
  length = 0;
  readonly #pairs: LabelPairs;
  readonly #shapes: Shape[] = [];
  readonly #shapeTexts: string[] = [];
  readonly #shapeNumbers = new Map<string, number>();
  #words = new Uint32Array(64);
  #starts = new Uint32Array(64);

  /** Creates a collector. `pairs` is the table of labels, which `add` extends. */
  constructor(pairs: LabelPairs) {
    this.#pairs = pairs;
  }

  add(key: StreamKey): void {
    const pairs = this.#pairs;
    this.addRows(
      key,
      key.labels.map(({ name, value }) => pairs.intern(name, value)),
    );
  }

  /** Adds a stream. `labels` are rows of the table of labels, in the order of names. */
  addRows(shape: Shape, labels: readonly number[]): void {
    const start = this.#starts[this.length];
    const end = start + 1 + labels.length;
    this.#words = grown(this.#words, end);
    this.#starts = grown(this.#starts, this.length + 2);
    this.#words[start] = this.#shapeNumber(shape);
    this.#words.set(labels, start + 1);
    this.length += 1;
    this.#starts[this.length] = end;
  }

  #shapeNumber(shape: Shape): number {
    const text = formatShape(shape);
    const known = this.#shapeNumbers.get(text);
    if (known !== undefined) return known;
    const { name, sampleTypes, periodType, delta } = shape;
    this.#shapes.push({ name, sampleTypes, periodType, delta });
    const number = this.#shapeTexts.push(text) - 1;
    this.#shapeNumbers.set(text, number);
    return number;
  }

  /** Sorts names, values, shapes and streams. Call it once, at the end. */
  async sort(pause: () => Promise<void>): Promise<SortedKeys> {
    const words = this.#words;
    const starts = this.#starts;
    const shapeTexts = this.#shapeTexts;
    const shapes = await sortRows(
      allRefs(shapeTexts.length),
      (a, b) => compareTexts(shapeTexts[a], shapeTexts[b]),
      pause,
    );
    const labels = await sortLabels(this.#pairs, pause);
    await this.#renumber(
      await rankKeys(shapes, shapes.length, pause),
      await rankKeys(labels.rows, this.#pairs.length, pause),
      pause,
    );
    const compare = (a: number, b: number): number =>
      compareWords(words, starts[a], starts[a + 1], starts[b], starts[b + 1]);
    const order = await sortRows(allRefs(this.length), compare, pause);
    for (let i = 1; i < order.length; i += 1) {
      assert(compare(order[i - 1], order[i]) < 0, 'a block has each stream once');
      if (i % rowsPerPause === 0) await pause();
    }
    const sortedShapes = Array.from(shapes, (number) => this.#shapes[number]);
    return { order, shapes: sortedShapes, labels, words, starts };
  }

  /** Replaces numbers with ranks in the keys. */
  async #renumber(
    shapeRanks: Uint32Array,
    labelRanks: Uint32Array,
    pause: () => Promise<void>,
  ): Promise<void> {
    const words = this.#words;
    const starts = this.#starts;
    for (let stream = 0; stream < this.length; stream += 1) {
      words[starts[stream]] = shapeRanks[words[starts[stream]]];
      for (let at = starts[stream] + 1; at < starts[stream + 1]; at += 1) {
        words[at] = labelRanks[words[at]];
      }
      if (stream % rowsPerPause === 0) await pause();
    }
  }
}

async function sortLabels(pairs: LabelPairs, pause: () => Promise<void>): Promise<SortedLabels> {
  const byName = await sortRows(
    allRefs(pairs.names.length),
    (a, b) => compareTexts(pairs.names[a], pairs.names[b]),
    pause,
  );
  const names = Array.from(byName, (number) => pairs.names[number]);
  const firsts = new Uint32Array(names.length + 1);
  const rows = new Uint32Array(pairs.length - 1);
  const nameByRow = new Uint32Array(rows.length);
  for (const [rank, name] of names.entries()) {
    const first = firsts[rank];
    const end = first + pairs.countPairs(name);
    firsts[rank + 1] = end;
    nameByRow.fill(rank, first, end);
    let at = end;
    for (let row = pairs.lastPair(name); row !== 0; row = pairs.before(row)) {
      at -= 1;
      rows[at] = row;
    }
    if (rank % rowsPerPause === 0) await pause();
    if (end - first < 2) continue;
    const ofName = rows.subarray(first, end);
    ofName.set(await sortRows(ofName, (a, b) => pairs.compareValues(a, b), pause));
  }
  return { names, firsts, rows, nameOf: nameByRow };
}

/** Returns the position of each number in `order`. Numbers are below `count`. */
async function rankKeys(
  order: Uint32Array,
  count: number,
  pause: () => Promise<void>,
): Promise<Uint32Array> {
  const ranks = new Uint32Array(count);
  for (let rank = 0; rank < order.length; rank += 1) {
    ranks[order[rank]] = rank;
    if (rank % rowsPerPause === 0) await pause();
  }
  return ranks;
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
