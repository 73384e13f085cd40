// Converts Java flight recordings (JFR) to pprof, one profile for each kind of event.
//
// A recording is a sequence of chunks. Each has its own types, which define the layout of its
// events, and its own constants: stacks, methods, threads. Therefore the same code reads the events
// of every JDK and of async-profiler. Source:
// https://github.com/openjdk/jdk/tree/master/src/jdk.jfr/share/classes/jdk/jfr/internal
import {
  type ImportContext,
  type ImportedProfile,
  refuseMeaning,
} from '../reading/imported-profile.ts';
import { readChunks } from './chunks.ts';
import { JfrEvents } from './events.ts';
import { type JfrKind, kinds, type JfrKindName } from './kinds.ts';
import { noLabels, readLabelsSnapshot } from './labels-snapshot.ts';
import { FrameBudget, type SampleSet } from './samples.ts';

/** Profiles of a recording, and a sentence about a part that was left out. */
export interface DecodedJfr {
  readonly profiles: readonly ImportedProfile[];
  readonly note: string | undefined;
}

/**
 * Converts a recording. A recording without samples has no profiles.
 *
 * Errors: DecodeError; AppError 'resource-exhausted' above a limit, 'invalid-argument' if the
 * sender gives a meaning for counts that is not a rate.
 */
export function decodeJfr(bytes: Uint8Array, context: ImportContext): DecodedJfr {
  const { counts, jfrLabels } = context;
  if (counts.parameter !== 'rate') refuseMeaning(context, 'a JFR recording says itself');
  const snapshot = jfrLabels === undefined ? noLabels : readLabelsSnapshot(jfrLabels);
  const { chunks, note } = readChunks(bytes);
  const events = new JfrEvents(bytes, snapshot);
  for (const chunk of chunks) events.readChunk(chunk);
  const [first, last] = [chunks[0], chunks[chunks.length - 1]];
  const isGiven = context.timeNanos !== 0n;
  const timeNanos = isGiven ? context.timeNanos : first.startNanos;
  const length = last.startNanos + last.durationNanos - first.startNanos;
  const measured = length > 0n ? length : 0n;
  const durationNanos = context.durationNanos === 0n ? measured : context.durationNanos;
  const budget = new FrameBudget(bytes.length);
  const profiles = (Object.keys(kinds) as JfrKindName[]).flatMap((name): ImportedProfile[] => {
    const samples = events.samples.get(name);
    if (samples === undefined) return [];
    const times = { timeNanos, durationNanos };
    return [toProfile(kinds[name], samples, events, { ...context, ...times }, budget)];
  });
  return { profiles, note };
}

function toProfile(
  kind: JfrKind,
  samples: SampleSet,
  events: JfrEvents,
  { counts, timeNanos, durationNanos }: ImportContext,
  budget: FrameBudget,
): ImportedProfile {
  const { name, sampled, isState, event = events.profilerEvent } = kind;
  const found = sampled === undefined ? undefined : events.samplingPeriod(sampled);
  const given = counts.parameter === 'rate' ? counts.period : undefined;
  const period =
    sampled === undefined
      ? undefined
      : (given ?? (found === undefined ? undefined : BigInt(found)));
  // Without a period, values are numbers of samples.
  const isCounted = sampled !== undefined && period === undefined;
  const sampleTypes = isCounted ? [{ type: 'samples', unit: 'count' }] : kind.sampleTypes;
  const shift = (events.startNanos ?? timeNanos) - timeNanos;
  const scale = { factor: period ?? 1n, shift };
  const writer = samples.write({ ...kind, sampleTypes }, scale, events, budget);
  const pprof = writer.finish({
    sampleTypes,
    periodType: kind.periodType,
    period: period ?? (isCounted ? 0n : 1n),
    timeNanos,
    durationNanos: isState ? 0n : durationNanos,
    areTimesLost: samples.areTimesLost,
  });
  const labels = event === undefined ? [] : [{ name: 'jfr_event', value: event }];
  return { name, labels, pprof };
}
