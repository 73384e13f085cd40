// The messages of Parca's API that the page uses, as tables. Source: proto/parca/*/v1alpha1.
import {
  bool,
  bytes,
  double,
  float,
  int32,
  int64,
  mapOf,
  message,
  repeated,
  string,
  uint32,
  type ValueOf,
} from './protobuf.ts';

/** google.protobuf.Timestamp. */
export const timestamp = message({ seconds: [1, int64], nanos: [2, int32] });
/** google.protobuf.Duration. */
export const duration = message({ seconds: [1, int64], nanos: [2, int32] });

const label = message({ name: [1, string], value: [2, string] });
const labelSet = message({ labels: [1, repeated(label)] });
const valueType = message({ type: [1, string], unit: [2, string] });

export const profileTypesRequest = message({ start: [1, timestamp], end: [2, timestamp] });
const profileType = message({
  name: [1, string],
  sampleType: [2, string],
  sampleUnit: [3, string],
  periodType: [4, string],
  periodUnit: [5, string],
  delta: [6, bool],
});
export const profileTypesResponse = message({ types: [1, repeated(profileType)] });

export const labelsRequest = message({
  match: [1, repeated(string)],
  start: [2, timestamp],
  end: [3, timestamp],
  profileType: [4, string],
});
export const labelsResponse = message({
  labelNames: [1, repeated(string)],
  warnings: [2, repeated(string)],
});
export const valuesRequest = message({
  labelName: [1, string],
  match: [2, repeated(string)],
  start: [3, timestamp],
  end: [4, timestamp],
  profileType: [5, string],
});
export const valuesResponse = message({
  labelValues: [1, repeated(string)],
  warnings: [2, repeated(string)],
});

export const queryRangeRequest = message({
  query: [1, string],
  start: [2, timestamp],
  end: [3, timestamp],
  limit: [4, uint32],
  step: [5, duration],
  sumBy: [6, repeated(string)],
  averages: [100, bool],
  byFirstLabel: [101, bool],
});
const metricsSample = message({
  timestamp: [1, timestamp],
  value: [2, int64],
  valuePerSecond: [3, double],
  duration: [4, int64],
  count: [5, int32],
  rate: [100, double],
  coveredNanos: [101, int64],
});
const metricsSeries = message({
  labelset: [1, labelSet],
  samples: [2, repeated(metricsSample)],
  periodType: [3, valueType],
  sampleType: [4, valueType],
  total: [100, int64],
  average: [101, double],
  coveredNanos: [102, int64],
  snapshots: [103, double],
});
export const queryRangeResponse = message({
  series: [1, repeated(metricsSeries)],
  warnings: [100, repeated(string)],
  profileTypes: [101, repeated(string)],
});

export const mergeProfile = message({
  query: [1, string],
  start: [2, timestamp],
  end: [3, timestamp],
});
/** Modes and report types of QueryRequest. */
export const mergeMode = 2;
export const topReport = 2;
export const flameGraphArrowReport = 5;
/** The smallest of all reports. */
export const metadataReport = 8;
const nameSearch = message({ text: [1, string], mode: [2, int32] });
/** Modes of NameSearch. */
export const searchModes = { text: 0, regex: 1, case: 2 } as const;
export const queryRequest = message({
  mode: [1, int32],
  merge: [3, mergeProfile],
  reportType: [5, int32],
  groupBy: [8, message({ fields: [1, repeated(string)] })],
  rootTrimThreshold: [100, float],
  search: [110, nameSearch],
  zoomPath: [111, repeated(string)],
  topRecord: [113, bool],
});

export const shareProfileRequest = message({ queryRequest: [1, queryRequest] });
export const shareProfileResponse = message({ link: [1, string] });

const top = message({ unit: [4, string], record: [101, bytes] });
const flamegraphArrow = message({
  record: [1, bytes],
  unit: [2, string],
  height: [3, int32],
  trimmed: [4, int64],
});
const answerFacts = message({
  total: [1, int64],
  sampleCount: [4, int64],
  coveredNanos: [5, int64],
  period: [6, int64],
  snapshots: [7, double],
});
const loadRatio = message({
  ratio: [1, double],
  relativeError: [2, double],
  functionCount: [3, int32],
});
const searchTotals = message({
  cumulative: [1, int64],
  flat: [2, int64],
  names: [5, int32],
});
export const queryResponse = message({
  top: [7, top],
  total: [9, int64],
  filtered: [10, int64],
  flamegraphArrow: [11, flamegraphArrow],
  profileCount: [100, int64],
  sampleCount: [101, int64],
  coveredNanos: [102, int64],
  period: [103, int64],
  snapshots: [104, double],
  warnings: [105, repeated(string)],
  base: [111, answerFacts],
  search: [112, searchTotals],
  zoomedFrames: [113, int32],
  profileTypes: [114, repeated(string)],
  load: [115, loadRatio],
});

export const targetsRequest = message({ state: [1, int32] });
/** States of TargetsRequest: the targets that are scraped, and those that relabeling drops. */
export const targetStates = { active: 1, dropped: 2 } as const;
const target = message({
  discoveredLabels: [1, labelSet],
  labels: [2, labelSet],
  lastError: [3, string],
  lastScrape: [4, timestamp],
  lastScrapeDuration: [5, duration],
  url: [6, string],
  health: [7, int32],
});
const targets = message({ targets: [1, repeated(target)] });
export const targetsResponse = message({ targets: [1, mapOf(targets)] });

export type Timestamp = Exclude<ValueOf<typeof timestamp>, undefined>;
export type LabelSet = Exclude<ValueOf<typeof labelSet>, undefined>;
export type ProfileTypeMessage = Exclude<ValueOf<typeof profileType>, undefined>;
export type MetricsSeries = Exclude<ValueOf<typeof metricsSeries>, undefined>;
export type TargetMessage = Exclude<ValueOf<typeof target>, undefined>;

const nanosPerSecond = 1_000_000_000n;

/** Splits nanoseconds since the epoch (or of a duration). */
export function toTimestamp(nanos: bigint): Timestamp {
  const rest = ((nanos % nanosPerSecond) + nanosPerSecond) % nanosPerSecond;
  return { seconds: (nanos - rest) / nanosPerSecond, nanos: Number(rest) };
}

/** Returns the nanoseconds of a timestamp or duration; 0 if absent. */
export function toNanos(time: Timestamp | undefined): bigint {
  return time === undefined ? 0n : time.seconds * nanosPerSecond + BigInt(time.nanos);
}
