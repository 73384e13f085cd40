// Converts the labels of pprof samples to label sets of the dictionary. Each distinct set is
// interned once.
import { AppError } from '../base/errors.ts';
import { sampleLabelNamesMax } from './limits.ts';
import type { PprofColumns } from '../formats/pprof/columns.ts';
import { grown } from '../model/column.ts';
import type { Dictionary } from '../model/dictionary.ts';
import { mixHash } from '../model/hash-index.ts';
import type { SampleLabelEntry } from '../model/sample-labels-table.ts';
import type { StringIndex } from '../model/rows.ts';
import type { SymbolInterner } from './symbol-interner.ts';

const none = 0 as StringIndex;

/** Interns the sample labels of the current profile. */
export class SampleLabelsInterner {
  /** SampleLabelsIndex of each sample. */
  labelsOfSample = new Uint32Array(256);
  readonly #dictionary: Dictionary;
  readonly #columns: PprofColumns;
  readonly #symbols: SymbolInterner;
  /**
   * Hash table with open addressing: for each distinct label set of the profile, a sample that has
   * it, plus 1.
   */
  #slots = new Int32Array(512);
  #mask = 511;
  /** StringIndex of each stored label name, by the index of the sent name in the profile. */
  readonly #names = new Map<number, StringIndex>();
  /** Label names of the profile; undefined until a name has to be changed. */
  #sentNames: Set<string> | undefined;

  constructor(dictionary: Dictionary, columns: PprofColumns, symbols: SymbolInterner) {
    this.#dictionary = dictionary;
    this.#columns = columns;
    this.#symbols = symbols;
  }

  /**
   * Fills `labelsOfSample`.
   *
   * Label names stay as they were sent; queries quote names that are not words. There is one
   * exception, as in Prometheus: a name that a label of the series has (`isTaken`) gets the prefix
   * `exported_`, again and again until it is unique in the profile. A number with a unit becomes a
   * string such as `1 millisecond`, so that it can be found, and so that values with different
   * units differ.
   *
   * Errors: AppError 'resource-exhausted' above `sampleLabelNamesMax`.
   */
  intern(isTaken: (name: string) => boolean): void {
    const dictionary = this.#dictionary;
    const columns = this.#columns;
    const { sampleCount, labelStart } = columns;
    this.labelsOfSample = grown(this.labelsOfSample, sampleCount);
    this.labelsOfSample.fill(0, 0, sampleCount);
    if (columns.labelCount === 0) return;
    const capacity = 2 ** Math.ceil(Math.log2(sampleCount * 2));
    this.#slots = grown(this.#slots, capacity);
    this.#slots.fill(0, 0, capacity);
    this.#mask = capacity - 1;
    this.#names.clear();
    this.#sentNames = undefined;
    const { labelsOfSample } = this;
    const slots = this.#slots;
    for (let sample = 0; sample < sampleCount; sample += 1) {
      if (labelStart[sample] === labelStart[sample + 1]) continue;
      const slot = this.#findSlot(sample);
      if (slots[slot] === 0) {
        slots[slot] = sample + 1;
        const entries = this.#entries(isTaken, sample);
        labelsOfSample[sample] = dictionary.sampleLabels.intern(entries);
      } else {
        labelsOfSample[sample] = labelsOfSample[slots[slot] - 1];
      }
    }
  }

  /** Returns the slot of the first sample with the same labels, or a free slot if there is none. */
  #findSlot(sample: number): number {
    const columns = this.#columns;
    const slots = this.#slots;
    const mask = this.#mask;
    const { labelStart, labelKey, labelText, labelNumberWords } = columns;
    // The hash starts from a secret number, so that senders cannot choose labels that collide.
    let hash = this.#dictionary.stacks.seedLow;
    for (let i = labelStart[sample]; i < labelStart[sample + 1]; i += 1) {
      hash = mixHash(mixHash(hash, labelKey[i]), labelText[i]);
      hash = mixHash(mixHash(hash, labelNumberWords[i * 2]), labelNumberWords[i * 2 + 1]);
    }
    let slot = hash & mask;
    while (slots[slot] !== 0 && !equalLabels(columns, slots[slot] - 1, sample)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #entries(isTaken: (name: string) => boolean, sample: number): SampleLabelEntry[] {
    const columns = this.#columns;
    const symbols = this.#symbols;
    const entries: SampleLabelEntry[] = [];
    for (let i = columns.labelStart[sample]; i < columns.labelStart[sample + 1]; i += 1) {
      const key = this.#name(isTaken, columns.labelKey[i]);
      const text = symbols.string(columns.labelText[i]);
      const number = columns.labelNumber[i];
      const unit = symbols.string(columns.labelUnit[i]);
      // A label should have a string or a number. If it has both, the string is used.
      if (text !== none) entries.push({ key, text, number: 0n, unit: none });
      else if (unit === none) entries.push({ key, text: none, number, unit: none });
      else entries.push({ key, text: this.#quantity(number, unit), number: 0n, unit: none });
    }
    return entries.sort(compareEntries);
  }

  /** Returns true if the profile has a label with this name. */
  #isSent(name: string): boolean {
    const { labelKey, labelCount } = this.#columns;
    this.#sentNames ??= new Set(
      [...new Set(labelKey.subarray(0, labelCount))].map((key) => this.#symbols.text(key)),
    );
    return this.#sentNames.has(name);
  }

  #quantity(number: bigint, unit: StringIndex): StringIndex {
    const { strings } = this.#dictionary;
    return strings.internText(`${number} ${strings.text(unit)}`);
  }

  #name(isTaken: (name: string) => boolean, index: number): StringIndex {
    const known = this.#names.get(index);
    if (known !== undefined) return known;
    if (this.#names.size === sampleLabelNamesMax) {
      const why = `its samples have more than ${sampleLabelNamesMax} names of labels`;
      throw new AppError('resource-exhausted', `cannot store profile: ${why}`);
    }
    const sent = this.#symbols.text(index) || namelessLabel;
    let name = sent;
    while (isTaken(name) || (name !== sent && this.#isSent(name))) name = `exported_${name}`;
    const row = this.#dictionary.strings.internText(name);
    this.#names.set(index, row);
    return row;
  }
}

/** Name that is stored for a label without a name. */
const namelessLabel = '_';

function compareEntries(a: SampleLabelEntry, b: SampleLabelEntry): number {
  if (a.key !== b.key) return a.key - b.key;
  if (a.text !== b.text) return a.text - b.text;
  if (a.number !== b.number) return a.number < b.number ? -1 : 1;
  return a.unit - b.unit;
}

function equalLabels(columns: PprofColumns, one: number, other: number): boolean {
  const { labelStart, labelKey, labelText, labelUnit, labelNumberWords } = columns;
  const start = labelStart[one];
  const count = labelStart[one + 1] - start;
  const shift = labelStart[other] - start;
  if (labelStart[other + 1] - labelStart[other] !== count) return false;
  for (let i = start; i < start + count; i += 1) {
    const j = i + shift;
    if (labelKey[i] !== labelKey[j] || labelText[i] !== labelText[j]) return false;
    if (labelUnit[i] !== labelUnit[j]) return false;
    if (labelNumberWords[i * 2] !== labelNumberWords[j * 2]) return false;
    if (labelNumberWords[i * 2 + 1] !== labelNumberWords[j * 2 + 1]) return false;
  }
  return true;
}
