// Names of groups of functions that code refers to.

/** Name of the group of frames without any known facts. */
export const unknownGroup = '(unknown)';

/** Kind name for the user's own code. */
export const ownCode = 'own code';
