// Messages of queries and targets, which the first load needs.
//
// Generated from proto/ by tools/generate/page-messages.ts. Do not edit.
import {
 bool,
 bytes,
 double,
 float,
 int32,
 int64,
 mapCodec,
 message,
 repeated,
 string,
 uint32,
 type ValueOf,
} from './protobuf.ts';

export const timestamp = message({
 seconds: [1, int64],
 nanos: [2, int32],
});
export const duration = message({
 seconds: [1, int64],
 nanos: [2, int32],
});
export const label = message({
 name: [1, string],
 value: [2, string],
});
export const labelSet = message({
 labels: [1, repeated(label)],
});
export const valueType = message({
 type: [1, string],
 unit: [2, string],
});
export const profileTypesRequest = message({
 start: [1, timestamp],
 end: [2, timestamp],
});
export const profileType = message({
 name: [1, string],
 sampleType: [2, string],
 sampleUnit: [3, string],
 periodType: [4, string],
 periodUnit: [5, string],
 delta: [6, bool],
});
export const profileTypesResponse = message({
 types: [1, repeated(profileType)],
});
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
export const metricsSample = message({
 timestamp: [1, timestamp],
 value: [2, int64],
 valuePerSecond: [3, double],
 duration: [4, int64],
 count: [5, int32],
 rate: [100, double],
 coveredNanos: [101, int64],
});
export const metricsSeries = message({
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
export const nameSearch = message({
 text: [1, string],
 mode: [2, int32],
});
export const groupBy = message({
 fields: [1, repeated(string)],
});
export const queryRequest = message({
 mode: [1, int32],
 merge: [3, mergeProfile],
 reportType: [5, int32],
 groupBy: [8, groupBy],
 rootTrimThreshold: [100, float],
 search: [110, nameSearch],
 zoomPath: [111, repeated(string)],
 topRecord: [113, bool],
});
export const shareProfileRequest = message({
 queryRequest: [1, queryRequest],
});
export const shareProfileResponse = message({
 link: [1, string],
});
export const top = message({
 unit: [4, string],
 record: [101, bytes],
});
export const flamegraphArrow = message({
 record: [1, bytes],
 unit: [2, string],
 height: [3, int32],
 trimmed: [4, int64],
});
export const answerFacts = message({
 total: [1, int64],
 sampleCount: [4, int64],
 coveredNanos: [5, int64],
 period: [6, int64],
 snapshots: [7, double],
});
export const loadRatio = message({
 ratio: [1, double],
 relativeError: [2, double],
 functionCount: [3, int32],
});
export const searchTotals = message({
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
export const targetsRequest = message({
 state: [1, int32],
});
export const target = message({
 discoveredLabels: [1, labelSet],
 labels: [2, labelSet],
 lastError: [3, string],
 lastScrape: [4, timestamp],
 lastScrapeDuration: [5, duration],
 url: [6, string],
 health: [7, int32],
});
export const targets = message({
 targets: [1, repeated(target)],
});
export const targetsResponse = message({
 targets: [1, mapCodec(targets)],
});
export const mergeMode = 2;
export const topReport = 2;
export const flameGraphArrowReport = 5;
export const metadataReport = 8;
export const textSearch = 0;
export const regexSearch = 1;
export const caseSearch = 2;
export const activeTargets = 1;
export const droppedTargets = 2;
export type Timestamp = Exclude<ValueOf<typeof timestamp>, undefined>;
export type LabelSet = Exclude<ValueOf<typeof labelSet>, undefined>;
export type ProfileTypeMessage = Exclude<ValueOf<typeof profileType>, undefined>;
export type MetricsSeries = Exclude<ValueOf<typeof metricsSeries>, undefined>;
export type TargetMessage = Exclude<ValueOf<typeof target>, undefined>;
