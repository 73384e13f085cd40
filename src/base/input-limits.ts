// Limits on data from clients and targets, each with a flag. limits.ts has the limits without
// flags.
import { AppError } from './errors.ts';
import type { Metrics } from './metrics.ts';

/** Unit of a limit, which decides the form of its flag. Durations are in milliseconds. */
export type LimitUnit = 'size' | 'number' | 'duration';

/** A row of the table. */
export interface InputLimit {
  /** Name of the flag, and of the limit in metrics. */
  readonly flag: string;
  readonly unit: LimitUnit;
  readonly initial: number;
  /** Largest value of the flag, up to which the code was tested. The smallest value is 1. */
  readonly most: number;
  readonly help: string;
}

const kibi = 1024;
const mebi = 1024 * kibi;

const table = {
  // The largest known profile is a heap profile of 13 MiB; bombs expand to gigabytes.
  profileBytes: {
    flag: 'profile-max-size',
    unit: 'size',
    initial: 256 * mebi,
    most: 1024 * mebi,
    help: 'Most bytes of one profile after decompression.',
  },
  profileSamples: {
    flag: 'profile-max-samples',
    unit: 'number',
    initial: 4_000_000,
    most: 4_000_000,
    help: 'Most samples of one profile.',
  },
  // Go records 32-128 frames; deep recursion in other languages reaches thousands.
  stackDepth: {
    flag: 'profile-max-stack-depth',
    unit: 'number',
    initial: 8_192,
    most: 8_192,
    help: 'Most frames of one stack.',
  },
  // A column of this length takes 256 MiB.
  profileFrames: {
    flag: 'profile-max-frames',
    unit: 'number',
    initial: 64 * mebi,
    most: 64 * mebi,
    help: 'Most frames of all stacks of one profile together.',
  },
  // Each distinct frame is a node in the trie of stacks, which takes 24-48 bytes in a head. A
  // profile of 30,000 stacks of 30 frames with nothing in common has 0.9 million such nodes.
  profileDistinctFrames: {
    flag: 'profile-max-distinct-frames',
    unit: 'number',
    initial: 2_000_000,
    most: 16_000_000,
    help: 'Most new frames of one profile, where callers that stacks share count once; inlined calls count.',
  },
  profileSymbols: {
    flag: 'profile-max-symbols',
    unit: 'number',
    initial: 4_000_000,
    most: 4_000_000,
    help: 'Most strings, functions, locations, lines or mappings of one profile.',
  },
  profileSampleLabels: {
    flag: 'profile-max-sample-labels',
    unit: 'number',
    initial: 8_000_000,
    most: 8_000_000,
    help: 'Most labels on all samples of one profile together.',
  },
  // Real profiles and columns of agents expand up to 30 times, LZ4 bombs 255 times, and other bombs
  // 1,000 times or more.
  inflation: {
    flag: 'push-max-inflation',
    unit: 'number',
    initial: 200,
    most: 100_000,
    help: 'Most growth of what is decompressed, past its first MiB.',
  },
  // A speedscope file of 64 MiB has two million events.
  jsonObjects: {
    flag: 'json-max-objects',
    unit: 'number',
    initial: 2_000_000,
    most: 20_000_000,
    help: 'Most objects and lists of one body in JSON.',
  },
  seriesPerRequest: {
    flag: 'push-max-series',
    unit: 'number',
    initial: 10_000,
    most: 100_000,
    help: 'Most series of one request.',
  },
  // As in Parca.
  writeHandshake: {
    flag: 'push-handshake-timeout',
    unit: 'duration',
    initial: 5_000,
    most: 600_000,
    help: 'Longest time of a Write call with its two messages.',
  },
  labelsPerSeries: {
    flag: 'series-max-labels',
    unit: 'number',
    initial: 64,
    most: 256,
    help: 'Most labels of one series.',
  },
  labelNameBytes: {
    flag: 'series-max-label-name-size',
    unit: 'size',
    initial: kibi,
    most: 4 * kibi,
    help: 'Most bytes of the name of a label, in UTF-8.',
  },
  labelValueBytes: {
    flag: 'series-max-label-value-size',
    unit: 'size',
    initial: 4 * kibi,
    most: 64 * kibi,
    help: 'Most bytes of the value of a label, in UTF-8.',
  },
  // A series takes about 200 bytes of a head; 10,000 machines with 100 programs each have a million
  // series.
  activeSeries: {
    flag: 'series-max-active',
    unit: 'number',
    initial: 1_000_000,
    most: 20_000_000,
    help: 'Most series that get profiles in one to two hours.',
  },
  activeSeriesOfCaller: {
    flag: 'series-max-active-per-caller',
    unit: 'number',
    initial: 500_000,
    most: 20_000_000,
    help: 'Most series that one caller pushes in one to two hours.',
  },
  newSeries: {
    flag: 'series-max-new-per-minute',
    unit: 'number',
    initial: 250_000,
    most: 20_000_000,
    help: 'Most series in a minute that got no profile before, from ten minutes after a start on.',
  },
  newSeriesOfCaller: {
    flag: 'series-max-new-per-minute-per-caller',
    unit: 'number',
    initial: 100_000,
    most: 20_000_000,
    help: 'Most new series of one caller in a minute.',
  },
  // The Kubernetes labels and annotations of a large fleet have a few thousand names.
  labelNames: {
    flag: 'series-max-label-names',
    unit: 'number',
    initial: 10_000,
    most: 2_000_000,
    help: 'Most names of labels of active series.',
  },
  labelNamesOfCaller: {
    flag: 'series-max-label-names-per-caller',
    unit: 'number',
    initial: 5_000,
    most: 2_000_000,
    help: 'Most names of labels that one caller was the first to push.',
  },
  // Labels with many values are names of pods and instances, which change over time.
  labelValues: {
    flag: 'series-max-label-values',
    unit: 'number',
    initial: 500_000,
    most: 20_000_000,
    help: 'Most values of one label of active series.',
  },
  labelValuesOfCaller: {
    flag: 'series-max-label-values-per-caller',
    unit: 'number',
    initial: 250_000,
    most: 20_000_000,
    help: 'Most values of one label that one caller was the first to push.',
  },
  arrowBytes: {
    flag: 'arrow-max-size',
    unit: 'size',
    initial: 64 * mebi,
    most: 512 * mebi,
    help: 'Most bytes of the buffers of one Arrow write, after decompression.',
  },
  // Metadata of an agent with 64 labels takes 30 KB.
  arrowMetadataBytes: {
    flag: 'arrow-max-metadata-size',
    unit: 'size',
    initial: mebi,
    most: 16 * mebi,
    help: 'Most bytes of the metadata of one Arrow message.',
  },
  // Agents send one record batch and ten dictionary batches.
  arrowBatches: {
    flag: 'arrow-max-batches',
    unit: 'number',
    initial: 4_096,
    most: 65_536,
    help: 'Most record and dictionary batches of one Arrow write.',
  },
  // 256 cores at 19 Hz for 10 seconds give 48,640 rows.
  arrowRows: {
    flag: 'arrow-max-rows',
    unit: 'number',
    initial: 1_000_000,
    most: 4_000_000,
    help: 'Most rows of one Arrow batch, and of one write.',
  },
  // All rows of a push together have fewer frames than this; each item takes 4 bytes.
  arrowItems: {
    flag: 'arrow-max-items',
    unit: 'number',
    initial: 16 * mebi,
    most: 64 * mebi,
    help: 'Most values of one field of an Arrow batch.',
  },
  // A schema with 64 labels has about 250 fields.
  arrowFields: {
    flag: 'arrow-max-fields',
    unit: 'number',
    initial: 1_024,
    most: 16_384,
    help: 'Most fields of an Arrow schema, with those inside of them.',
  },
  // Agents use seven levels.
  arrowNesting: {
    flag: 'arrow-max-depth',
    unit: 'number',
    initial: 32,
    most: 64,
    help: 'Most levels of Arrow fields in fields.',
  },
  // The entries are functions, locations and strings.
  arrowDictionaryEntries: {
    flag: 'arrow-max-dictionary-entries',
    unit: 'number',
    initial: 1_000_000,
    most: 4_000_000,
    help: 'Most entries of all dictionaries of one Arrow write.',
  },
  // Each distinct time of a series counts as a profile.
  arrowProfiles: {
    flag: 'arrow-max-profiles',
    unit: 'number',
    initial: 100_000,
    most: 1_000_000,
    help: 'Most profiles of one Arrow write.',
  },
  scrapeBodyBytes: {
    flag: 'scrape-max-body-size',
    unit: 'size',
    initial: 64 * mebi,
    most: 1024 * mebi,
    help: 'Most bytes of the answer of a scraped target, as it comes over the wire.',
  },
  // grpc-go's server has no limit; Envoy's limit is 2^31.
  streamsPerConnection: {
    flag: 'http-max-streams',
    unit: 'number',
    initial: 100,
    most: 100_000,
    help: 'Most requests at once on one HTTP/2 connection.',
  },
  headerBytes: {
    flag: 'http-max-header-size',
    unit: 'size',
    initial: 64 * kibi,
    most: mebi,
    help: 'Most bytes of all headers of a request.',
  },
  idleConnection: {
    flag: 'http-idle-timeout',
    unit: 'duration',
    initial: 300_000,
    most: 43_200_000,
    help: 'Time after which an HTTP/2 connection without traffic is closed.',
  },
  // This is enough for about 100,000 targets.
  discoveryBytes: {
    flag: 'discovery-max-size',
    unit: 'size',
    initial: 16 * mebi,
    most: 256 * mebi,
    help: 'Most bytes of one list of targets.',
  },
} as const satisfies Readonly<Record<string, InputLimit>>;

export type InputLimitName = keyof typeof table;
/** Values of all limits, by name. */
export type InputLimits = Readonly<Record<InputLimitName, number>>;

/** Every limit, by name. */
export const inputLimitTable: Readonly<Record<InputLimitName, InputLimit>> = table;

/** Returns a value for each limit. */
export function mapInputLimits(toValue: (limit: InputLimit) => number): InputLimits {
  return Object.fromEntries(
    Object.entries(table).map(([name, limit]) => [name, toValue(limit)]),
  ) as unknown as InputLimits;
}

const current = { ...mapInputLimits(({ initial }) => initial) };

/**
 * Values of the limits on this thread: the defaults until `setInputLimits`.
 *
 * They are global in each thread, because readers of formats need them at every depth, and a server
 * has only one command line.
 */
export const inputLimits: InputLimits = current;

/** Sets the limits of this thread. Called once, before anything is read. */
export function setInputLimits(limits: InputLimits): void {
  Object.assign(current, limits);
}

/**
 * Number of bytes at the start of compressed data that are decompressed to see if it expands too
 * much. Until then, up to 200 times as many bytes may be in memory.
 */
export const inflationStartBytes = 16 * kibi;

/** Returns the largest size that `compressedBytes` may expand to. */
export function inflatedBytesMax(compressedBytes: number): number {
  return Math.max(mebi, compressedBytes * inputLimits.inflation);
}

/**
 * Returns the flag of the limit that determined `outputMax`: either the limit on expansion, or
 * `flag`, the flag of `bytesMax`.
 */
export function limitOfOutput(outputMax: number, bytesMax: number, flag: string): string {
  return outputMax < bytesMax ? table.inflation.flag : flag;
}

/** Creates the error for input above a limit; `message` names the input and its size. */
export function overInputLimit(name: InputLimitName, message: string): AppError {
  const { flag } = table[name];
  return new AppError('resource-exhausted', `${message} (--${flag})`, { limit: flag });
}

/** Returns a function that counts an error under the limit that it names, if any. */
export function createLimitCounter(metrics: Metrics): (error: unknown) => void {
  const reached = metrics.counter(
    'parca_limit_reached_total',
    'What was refused for a limit, by the flag of the limit.',
    ['limit'],
  );
  return (error) => {
    if (error instanceof AppError && error.limit !== undefined)
      reached.add(1, { limit: error.limit });
  };
}
