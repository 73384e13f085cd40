// Limits of model, each with its value, its unit and its reason.

const mebi = 1024 * 1024;

/** Characters of a label that relabeling makes; the labels of a target are much shorter. */
export const relabelValueCharactersMax = 65_536;
/** Characters of the parts of a profile type: a query accepts them with each character escaped. */
export const profileTypeLengthMax = 4_096;
/** Bytes of symbols that queries over several parts share; beyond it they are copied again. */
export const joinedDictionaryBytesMax = 64 * mebi;
/**
 * Samples of one profile whose times are kept: 100 threads at 100 Hz for 100 s. Counted by
 * `parca_ingest_sample_times_dropped_total`, as are the two limits below.
 */
export const sampleTimesMax = 1 << 20;
/**
 * Time from the start of a profile to a sample whose time is kept: questions about a moment look
 * through the profiles that began in the hour before.
 */
export const sampleSpanMillisMax = 3_600_000;
/** Time of a sample before its profile's: a minute, as the start of some senders is approximate. */
export const sampleLeadMillisMax = 60_000;
