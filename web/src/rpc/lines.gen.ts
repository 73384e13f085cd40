// Messages of a query for the lines of a file.
//
// Generated from proto/ by tools/generate/page-messages.ts. Do not edit.
import {
 bool,
 bytes,
 double,
 int32,
 int64,
 message,
 repeated,
 string,
} from './protobuf.ts';
import { mergeProfile } from './messages.gen.ts';

export const sourceReference = message({
 buildId: [1, string],
 filename: [2, string],
 sourceOnly: [3, bool],
});
export const linesRequest = message({
 mode: [1, int32],
 merge: [3, mergeProfile],
 reportType: [5, int32],
 sourceReference: [9, sourceReference],
});
export const source = message({
 record: [1, bytes],
 source: [2, string],
 unit: [3, string],
 whyEmpty: [100, string],
});
export const linesResponse = message({
 total: [9, int64],
 source: [12, source],
 sampleCount: [101, int64],
 coveredNanos: [102, int64],
 period: [103, int64],
 snapshots: [104, double],
 warnings: [105, repeated(string)],
});
export const sourceReport = 6;
