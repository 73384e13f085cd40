// Limits of model, each with its value, its unit and its reason.

const mebi = 1024 * 1024;

/** Characters in the result of relabeling; the labels of a target are much shorter. */
export const relabelValueCharactersMax = 65_536;
/** Characters of the parts of a profile type: a query accepts them with each character escaped. */
export const profileTypeLengthMax = 4_096;
/** Bytes of symbols that queries over several parts share; above it they are copied again. */
export const joinedDictionaryBytesMax = 64 * mebi;
/**
 * Samples of one profile whose times are kept: 100 threads at 100 Hz for 100 s. What is dropped by
 * this limit and the next two is counted by `parca_ingest_sample_times_dropped_total`.
 */
export const sampleTimesMax = 1 << 20;
/**
 * Time from the start of a profile to the last sample whose time is kept: queries about a range
 * look at profiles that began up to an hour earlier.
 */
export const sampleSpanMillisMax = 3_600_000;
/**
 * Time by which a sample may precede its profile: a minute, because some senders give an
 * approximate start.
 */
export const sampleLeadMillisMax = 60_000;
