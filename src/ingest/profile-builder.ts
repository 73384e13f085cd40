// Converts a decoded profile to an IncomingProfile with rows of the dictionary. The memory is
// reused.
import { AppError } from '../base/errors.ts';
import { profileTotalMax } from '../base/limits.ts';
import { PprofColumns } from '../formats/pprof/columns.ts';
import { decodePprof } from '../formats/pprof/decode.ts';
import { validateProfile } from '../formats/pprof/validate.ts';
import type { Content } from '../formats/gzip.ts';
import type { Dictionary } from '../model/dictionary.ts';
import { labelValue, profileNameLabel } from '../model/labels.ts';
import { sumMagnitude } from '../model/merge.ts';
import { checkProfileType, type ValueType } from '../model/profile-type.ts';
import type { IncomingProfile } from '../storage/interface.ts';
import { buildSampleTimes, type BuiltTimes } from './build-sample-times.ts';
import { moveToFileOffsets } from './file-offsets.ts';
import { RowCombiner } from './row-combiner.ts';
import { SampleLabelsInterner } from './sample-labels-interner.ts';
import type { UploadSeries } from './series.ts';
import { StackInterner } from './stack-interner.ts';
import { SymbolInterner } from './symbol-interner.ts';

/** Facts about an upload that its pprof message does not contain. */
export interface UploadContext {
  readonly series: UploadSeries;
  /** Sample types that are kept; an empty list keeps all. */
  readonly keepSampleTypes: readonly ValueType[];
  /** Time for a profile without a time, in nanoseconds. */
  readonly receivedNanos: bigint;
  /**
   * Time that replaces the time of the profile, in nanoseconds; undefined to keep the profile's
   * time.
   */
  readonly timeNanos: bigint | undefined;
  /** True if all addresses are offsets in files. */
  readonly areFileAddresses: boolean;
  /** Maximum number of samples; 0 = the limit of decodePprof. */
  readonly samplesMax: number;
}

/** A limit that is lower than the limits of the server. */
export interface BuildBudget {
  /** Checks a decoded profile before it is interned; throws if it is too large. */
  take(columns: PprofColumns, contentBytes: number): void;
}

/** Builds profiles one by one. A result is valid until the next call to `build`. */
export class ProfileBuilder {
  readonly dictionary: Dictionary;
  readonly #columns = new PprofColumns();
  readonly #symbols: SymbolInterner;
  readonly #stacks: StackInterner;
  readonly #sampleLabels: SampleLabelsInterner;
  readonly #rows = new RowCombiner(this.#columns);

  constructor(dictionary: Dictionary) {
    this.dictionary = dictionary;
    this.#symbols = new SymbolInterner(dictionary, this.#columns);
    this.#stacks = new StackInterner(dictionary, this.#columns);
    this.#sampleLabels = new SampleLabelsInterner(dictionary, this.#columns, this.#symbols);
  }

  /**
   * Decodes, validates and interns a profile; undefined if it has no values to store. An invalid
   * profile does not change the dictionary.
   *
   * Errors: AppError 'invalid-argument' with Parca's messages, 'resource-exhausted' for limits;
   * errors of `budget.take`.
   */
  build(
    content: Content,
    context: UploadContext,
    budget?: BuildBudget,
  ): IncomingProfile | undefined {
    const columns = this.#columns;
    const symbols = this.#symbols;
    const rows = this.#rows;
    decodePprof(content.bytes, columns);
    budget?.take(columns, content.bytes.length);
    validateProfile(columns);
    const { samplesMax } = context;
    if (samplesMax > 0 && columns.sampleCount > samplesMax) {
      const why = `it has ${columns.sampleCount} samples, the limit is ${samplesMax}`;
      throw new AppError('resource-exhausted', `cannot store profile: ${why}`);
    }
    moveToFileOffsets(columns, context.areFileAddresses);
    symbols.start();
    const types = this.#sampleTypes();
    const periodType = this.#valueType(columns.periodTypeType, columns.periodTypeUnit);
    const kept = keptTypes(types, context.keepSampleTypes);
    const { name } = context.series;
    const delta = columns.durationNanos !== 0n;
    for (const type of kept) {
      checkProfileType({ name, sample: types[type], period: periodType, delta });
    }
    if (kept.length === 0 || columns.sampleCount === 0) return undefined;
    this.#internSamples(kept, context.series);
    if (rows.rowCount === 0) return undefined;
    kept.forEach((type, i) => {
      const values = rows.values[i].subarray(0, rows.rowCount);
      checkScaledTotal(types[type], periodType, values, columns.period);
    });
    const timeNanos = context.timeNanos ?? (columns.timeNanos || context.receivedNanos);
    return {
      labels: context.series.labels,
      name: context.series.name,
      sampleTypes: kept.map((type) => types[type]),
      periodType,
      period: columns.period,
      timeNanos,
      durationNanos: columns.durationNanos,
      rowCount: rows.rowCount,
      stacks: rows.stacks,
      values: rows.values.slice(0, kept.length),
      sampleLabels: columns.labelCount === 0 ? undefined : rows.labels,
      contentHash: content.hash,
      ...this.#sampleTimes(kept, timeNanos),
    };
  }

  #sampleTimes(kept: readonly number[], timeNanos: bigint): BuiltTimes | undefined {
    const { offsets, values, sampleTypeCount } = this.#columns;
    if (offsets.count === 0 && !offsets.areTooMany) return undefined;
    const rows = this.#rows;
    const { rowCount, values: rowValues } = rows;
    const findRow = (sample: number): number => rows.rowOf(sample);
    const combined = { offsets, values, sampleTypeCount, rowCount, rowValues, rowOf: findRow };
    return buildSampleTimes(combined, kept, timeNanos);
  }

  /** Number of bytes that are kept for the next profile. */
  reservedBytes(): number {
    const { stackOfSample } = this.#stacks;
    // Each sample takes memory for a hash, a stack, labels and a row, and for slots in the indexes
    // of rows and labels.
    const samples = stackOfSample.length * 44 + this.#rows.reservedBytes();
    return this.#columns.reservedBytes() + this.#symbols.locationRow.length * 20 + samples;
  }

  #internSamples(kept: readonly number[], series: UploadSeries): void {
    const symbols = this.#symbols;
    const stacks = this.#stacks;
    const sampleLabels = this.#sampleLabels;
    const rows = this.#rows;
    symbols.internLocations();
    stacks.intern(symbols.locationRow);
    const isTaken = (name: string): boolean =>
      name === profileNameLabel || labelValue(series.labels, name) !== '';
    sampleLabels.intern(isTaken);
    rows.combine(kept, stacks.stackOfSample, sampleLabels.labelsOfSample);
  }

  #sampleTypes(): ValueType[] {
    const { sampleTypeCount, sampleTypeType, sampleTypeUnit } = this.#columns;
    const types: ValueType[] = [];
    for (let i = 0; i < sampleTypeCount; i += 1) {
      types.push(this.#valueType(sampleTypeType[i], sampleTypeUnit[i]));
    }
    return types;
  }

  #valueType(type: number, unit: number): ValueType {
    return { type: this.#symbols.text(type), unit: this.#symbols.text(unit) };
  }
}

/**
 * Refuses sample counts that are too large. Their sum times the period must not overflow when it is
 * added to the sum of another profile.
 *
 * Errors: AppError 'invalid-argument'.
 */
function checkScaledTotal(
  sample: ValueType,
  periodType: ValueType,
  values: BigInt64Array,
  period: bigint,
): void {
  const isScaled = sample.type === 'samples' && sample.unit === 'count' && periodType.unit !== '';
  if (!isScaled || sumMagnitude(values) * Math.abs(Number(period)) <= Number(profileTotalMax))
    return;
  throw new AppError(
    'invalid-argument',
    `invalid profile: its samples times the period of ${period} ${periodType.unit} pass the ` +
      `limit of ${profileTotalMax}`,
  );
}

function keptTypes(types: readonly ValueType[], wanted: readonly ValueType[]): number[] {
  const kept: number[] = [];
  types.forEach(({ type, unit }, i) => {
    const asked =
      wanted.length === 0 || wanted.some((one) => one.type === type && one.unit === unit);
    // A sample type that occurs twice is kept once. Parca stores both, which doubles its sums.
    const repeated = types.findIndex((one) => one.type === type && one.unit === unit) < i;
    if (asked && !repeated) kept.push(i);
  });
  return kept;
}
