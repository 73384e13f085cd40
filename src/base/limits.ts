// Every limit of the server in one place: its value, its unit, and why it is what it is.

const mebi = 1024 * 1024;

/** One gRPC message or HTTP body, compressed or not; Parca's own limit. */
export const messageBytesMax = 64 * mebi;
/** One profile after gunzip. A 13 MiB heap profile is the largest seen; bombs reach gigabytes. */
export const profileBytesMax = 256 * mebi;
/** Samples (rows) of one profile. */
export const samplesPerProfileMax = 4_000_000;
/** Frames of one stack; Go stops at 32-128, deep recursion in others reaches thousands. */
export const stackDepthMax = 8_192;
/** Sample types of one profile; Go heap has 4. */
export const valueTypesMax = 32;
/** Labels of one series. */
export const labelsPerSeriesMax = 64;
/** Bytes of one label name / value in UTF-8. */
export const labelNameBytesMax = 1_024;
export const labelValueBytesMax = 4_096;
/** Series of one WriteRaw request. */
export const seriesPerRequestMax = 10_000;
/** Body of one scrape as it comes over the wire. */
export const scrapeBodyBytesMax = 64 * mebi;
/** Bytes of one WAL record; a profile of samplesPerProfileMax rows with new symbols fits. */
export const walRecordBytesMax = 512 * mebi;
/** A WAL segment is closed when it is larger than this. */
export const walSegmentBytesMax = 128 * mebi;
/** The longest a write waits for others to share its fdatasync. */
export const walGroupCommitMillisMax = 10;
/** Length of a query text in UTF-16 units. */
export const queryTextLengthMax = 32_768;
/** Rows above which a merge runs in a worker: a round trip costs 0.2 ms, 1 M rows 1.3 ms. */
export const mergeInWorkerRowsMin = 1_000_000;
/** Connections of the one port. */
export const connectionsMax = 10_000;
