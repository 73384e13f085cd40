// Limits of findings, each with its value, its unit and its reason.

/** Windows that are kept of a service: two weeks, so that each hour of a week is there twice. */
export const windowsMax = 336;
/** Functions that are compared: those with the largest total values of each window. */
export const functionsMax = 100;
/** Services whose windows are kept: each takes up to 300 KB. */
export const servicesMax = 256;
/** Findings that are kept; of more, the oldest resolved ones are forgotten. */
export const findingsMax = 1_000;
/** Functions that a finding lists: callers of a changed function change as well. */
export const findingFunctionsMax = 20;
/** Age at which a finding is resolved, because all windows that are kept are later than it. */
export const usualMillis = 1_209_600_000;
/** Time after the end of a window in which its last profiles arrive. */
export const settleMillis = 300_000;
/** Pause between two looks at whether there is something to do. */
export const pollMillis = 20_000;
/** Pause after each question, as a multiple of its time: so findings take 1/6 of one query slot. */
export const pausesPerQuestion = 5;
/** Limits of each question: time, and memory. */
export const questionMillisMax = 30_000;
export const questionBytesMax = 134_217_728;
/** Time for which a resolved finding is reported to receivers of alerts. */
export const resolvedAlertMillis = 86_400_000;
