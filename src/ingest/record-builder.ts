// Converts the columns of an Arrow write to profiles with rows of a dictionary.
import type { RecordColumns, RecordHead } from '../formats/parca-arrow/record-columns.ts';
import { requireInt64Sums } from '../formats/pprof/validate.ts';
import type { Steps } from '../base/pacer.ts';
import type { Dictionary } from '../model/dictionary.ts';
import { checkProfileType } from '../model/profile-type.ts';
import type { LabelSet } from '../model/labels.ts';
import type { SampleLabelEntry } from '../model/sample-labels-table.ts';
import type { StringIndex } from '../model/rows.ts';
import type { IncomingProfile } from '../storage/interface.ts';
import { combineSampleTimes } from './build-sample-times.ts';
import { RowCombiner } from './row-combiner.ts';
import { readSeries, type UploadSeries } from './series.ts';
import { StackInterner } from './stack-interner.ts';
import { SymbolInterner } from './symbol-interner.ts';

const none = 0 as StringIndex;
/** Number of the kept sample type; profiles of a record have only one type. */
const onlyType = [0];
/**
 * Number by which the hash grows from profile to profile. It is odd and without a pattern, so that
 * all profiles of a write have different hashes.
 */
const hashStep = 0x9e37_79b1n;

/** Number of profiles of a record that are built between two pauses; each takes microseconds. */
const profilesPerStep = 64;

/** The series that belongs to each head of a record. */
export type RecordSeries = readonly UploadSeries[];

/**
 * Checks those parts of a record that its reader has not checked, and returns the series of its
 * heads.
 *
 * Errors: as in readSeries, checkProfileType and requireInt64Sums.
 */
export function readRecordSeries(record: RecordColumns, external: LabelSet): RecordSeries {
  const { values, rowCount } = record;
  const valueWords = new Int32Array(values.buffer);
  requireInt64Sums({ values, valueWords, valueCount: rowCount, sampleTypeCount: 1 });
  return record.heads.map((head) => {
    const { name, sampleType: sample, periodType: period, durationNanos } = head;
    checkProfileType({ name, sample, period, delta: durationNanos !== 0n });
    return readSeries([{ name: '__name__', value: name }, ...head.labels], external);
  });
}

/**
 * Returns a record as a DecodedBatch. The record is interned into `dictionary` when the profiles of
 * the batch are taken.
 */
export function batchOfRecord(
  record: RecordColumns,
  series: RecordSeries,
  dictionary: Dictionary,
  receivedNanos: bigint,
): { appendTo(append: (profile: IncomingProfile) => void): Steps<boolean> } {
  return {
    *appendTo(append) {
      const { symbols: columns, profileCount, headOfProfile, rowStart } = record;
      const symbols = new SymbolInterner(dictionary, columns);
      const stacks = new StackInterner(dictionary, columns);
      symbols.start();
      symbols.internLocations();
      stacks.intern(symbols.locationRow);
      const stackOfRow = record.stack.map((stack) => stacks.stackOfSample[stack]);
      const sets = internLabelSets(record, symbols, dictionary);
      const labelsOfRow = record.labelSet.map((set) => sets[set]);
      const input = new ProfileRows();
      const rows = new RowCombiner(input);
      for (let profile = 0; profile < profileCount; profile += 1) {
        if (profile % profilesPerStep === profilesPerStep - 1) yield;
        const from = rowStart[profile];
        const to = rowStart[profile + 1];
        input.take(record.values, from, to);
        rows.combine(onlyType, stackOfRow.subarray(from, to), labelsOfRow.subarray(from, to));
        if (rows.rowCount === 0) continue;
        const head = headOfProfile[profile];
        const timeNanos = record.timeNanos[profile] || receivedNanos;
        append({
          ...toProfileHead(record.heads[head], series[head]),
          timeNanos,
          rowCount: rows.rowCount,
          stacks: rows.stacks,
          values: rows.values.slice(0, 1),
          sampleLabels: sets.length === 1 ? undefined : rows.labels,
          contentHash: BigInt.asIntN(64, record.contentHash + BigInt(profile) * hashStep),
          ...combineSampleTimes(record, from, to, rows, timeNanos),
        });
      }
      return true;
    },
  };
}

/** Values of the rows of one profile, reused from profile to profile. */
class ProfileRows {
  readonly sampleTypeCount = 1;
  sampleCount = 0;
  values: BigInt64Array<ArrayBuffer> = new BigInt64Array(0);
  valueWords: Int32Array<ArrayBuffer> = new Int32Array(0);

  take(all: BigInt64Array<ArrayBuffer>, from: number, to: number): void {
    this.sampleCount = to - from;
    this.values = all.subarray(from, to);
    this.valueWords = new Int32Array(this.values.buffer, from * 8, 2 * (to - from));
  }
}

type ProfileHead = Pick<
  IncomingProfile,
  'labels' | 'name' | 'sampleTypes' | 'periodType' | 'period' | 'durationNanos'
>;

function toProfileHead(head: RecordHead, { labels, name }: UploadSeries): ProfileHead {
  const { sampleType, periodType, period, durationNanos } = head;
  return { labels, name, sampleTypes: [sampleType], periodType, period, durationNanos };
}

/** Interns sample labels, and returns the dictionary row of each label set. */
function internLabelSets(
  { labelSets }: RecordColumns,
  symbols: SymbolInterner,
  dictionary: Dictionary,
): Uint32Array {
  return Uint32Array.from(labelSets, (set) => {
    if (set.length === 0) return 0;
    const entries = set.map(({ name, text }): SampleLabelEntry => {
      const key = dictionary.strings.internText(name);
      return { key, text: symbols.string(text), number: 0n, unit: none };
    });
    return dictionary.sampleLabels.intern(entries.sort((a, b) => a.key - b.key));
  });
}
