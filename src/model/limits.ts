// Limits of model, each with its value, its unit and its reason.

const mebi = 1024 * 1024;

/** Characters of a label that relabeling makes; the labels of a target are much shorter. */
export const relabelValueCharactersMax = 65_536;
/** Characters of the parts of a profile type: a query accepts them with each character escaped. */
export const profileTypeLengthMax = 4_096;
/** Bytes of symbols that queries over several parts share; beyond it they are copied again. */
export const joinedDictionaryBytesMax = 64 * mebi;
