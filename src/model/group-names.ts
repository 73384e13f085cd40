// Names of groups of functions that code refers to.

/** Name of the group of frames about which nothing is known. */
export const unknownGroup = '(unknown)';

/** Name of the user's own kind. */
export const ownCode = 'own code';
