// Limits of model, each with its value, its unit and its reason.

const mebi = 1024 * 1024;

/** Characters in the result of relabeling; labels of targets are much shorter. */
export const relabelValueCharactersMax = 65_536;
/**
 * Characters of the parts of a profile type together; a query can then contain them even if each
 * character is escaped.
 */
export const profileTypeLengthMax = 4_096;
/**
 * Maximum size of the symbols that queries over several parts share; above it, new queries start
 * with a new copy.
 */
export const joinedDictionaryBytesMax = 64 * mebi;
/**
 * Samples of one profile whose times are kept, enough for 100 threads at 100 Hz for 100 s. The
 * metric `parca_ingest_sample_times_dropped_total` counts the times that are dropped because of
 * this limit and the next two.
 */
export const sampleTimesMax = 1 << 20;
/**
 * Longest time from the start of a profile to a sample whose time is kept, because queries read
 * profiles that began up to an hour before their range.
 */
export const sampleSpanMillisMax = 3_600_000;
/**
 * Time by which a sample may precede its profile, because some senders give an approximate start.
 */
export const sampleLeadMillisMax = 60_000;
