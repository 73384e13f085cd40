// Event that tells the header that the state of a finding has changed.

/** Name of the event on the window. */
export const findingsChanged = 'findings-changed';
