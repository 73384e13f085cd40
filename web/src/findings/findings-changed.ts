// The event by which the page tells the header that the state of a finding changed.

/** Name of the event, which the window gets. */
export const findingsChanged = 'findings-changed';
