// Limits of model: each with its value, its unit and its reason.

// Every limit of the server in one place: its value, its unit and its reason. input-limits.ts has
// the limits of data from clients and targets, each with a flag.

const mebi = 1024 * 1024;

/** Characters of a label that relabeling makes; the labels of a target are shorter by far. */
export const relabelValueCharactersMax = 65_536;
/** Characters of the parts of a profile type: a query takes them with every one escaped. */
export const profileTypeLengthMax = 4_096;
/** Bytes of symbols that queries over several parts share; past it they are copied again. */
export const joinedDictionaryBytesMax = 64 * mebi;
