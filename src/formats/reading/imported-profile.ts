// Profiles of foreign formats in the form in which this program stores them: a name, labels, and
// pprof.
import { AppError } from '../../base/errors.ts';
import type { Label } from '../../model/labels.ts';
import type { ValueType } from '../../model/profile-type.ts';
import type { PprofHead } from '../pprof/head.ts';
import type { EarlierProfile } from '../pprof/subtract.ts';

/** Information about a profile that comes from the sender, because most formats lack it. */
export interface ImportContext {
  /** Start of the profile in nanoseconds since 1970; 0 if unknown. */
  readonly timeNanos: bigint;
  /** Length of the profiled time; 0 if unknown, or for a state such as memory in use. */
  readonly durationNanos: bigint;
  /** Meaning of the counts, for formats that do not state it. */
  readonly counts: CountMeaning;
  /** Build ids by file path, for formats that lack them, if the sender has the files. */
  readonly buildIds?: ReadonlyMap<string, string>;
  /** The profile's name, if the sender sets it. Otherwise a pprof profile is named by its types. */
  readonly name?: string | undefined;
  /** Information about a pprof profile, if it was already read. */
  readonly pprofHead?: PprofHead;
  /** Profile from which the counters of a pprof profile are subtracted. */
  readonly earlier?: EarlierProfile | undefined;
  /** Labels that pyroscope-java sends along with a JFR recording. */
  readonly jfrLabels?: Uint8Array | undefined;
  /** True for senders that send a file without samples when nothing happened. */
  readonly mayBeEmpty?: boolean | undefined;
}

/** Meaning of the numbers of a text format. */
export interface CountMeaning {
  /** The profile's name, `__name__`. */
  readonly name: string;
  readonly sampleType: ValueType;
  /** Factor by which numbers are multiplied, such as nanoseconds per sample. */
  readonly factor: bigint;
  readonly periodType?: ValueType;
  readonly period?: bigint;
  /** Query parameter with which the sender chose this type; absent for the default. */
  readonly parameter?: 'rate' | 'type';
}

/** One profile of an import. */
export interface ImportedProfile {
  /** Value of the label `__name__`. */
  readonly name: string;
  /** Labels from the content, in addition to labels from the sender. */
  readonly labels: readonly Label[];
  /** pprof, gzipped or not. */
  readonly pprof: Uint8Array;
}

/**
 * Refuses a meaning from the sender for values that already have one. Errors: AppError
 * 'invalid-argument' naming the parameter.
 */
export function refuseMeaning({ counts: { parameter } }: ImportContext, why: string): void {
  if (parameter === undefined) return;
  const reason = `is for counts without a meaning, and ${why} what its values are`;
  throw new AppError('invalid-argument', `${parameter}: ${reason}`);
}

/** Default meaning of counts: numbers of samples. */
export const plainCounts: CountMeaning = {
  name: 'process_cpu',
  sampleType: { type: 'samples', unit: 'count' },
  factor: 1n,
};
