// Limits for rules, each with its value, unit and reason.

/**
 * Maximum number of samples that an expression may return. Each may become an alert that is sent.
 */
export const resultSamplesMax = 10_000;
/** Maximum number of functions in one result of `function_share`: those with the largest share. */
export const sharedFunctionsMax = 1_000;
/**
 * Maximum number of groups of a function series with a condition `=~`. Each group is a query, and
 * an expression may also have this many queries.
 */
export const functionGroupsMax = 16;
/** Rules in all files. */
export const rulesMax = 10_000;
/** Maximum number of bytes of a rule file. */
export const ruleFileBytesMax = 4_194_304;
/** Characters of an expanded label or annotation. */
export const expandedCharactersMax = 16_384;
/** Time for which a resolved alert is kept and repeated, as in Prometheus. */
export const resolvedMillis = 900_000;
/** Time for which a resolved alert waits for a receiver that is unavailable. */
export const undeliveredMillisMax = 86_400_000;
/** Interval between messages to Alertmanager about the same firing alert, as in Prometheus. */
export const resendMillis = 60_000;
/** Downtime after which the pending time of an alert starts again, as in Prometheus. */
export const outageMillisMax = 3_600_000;
/** Alerts in one message to Alertmanager, as in Prometheus. */
export const alertsPerMessageMax = 256;
/** Longest time for sending a message. */
export const sendMillisMax = 10_000;
/**
 * Maximum number of bytes of a recipient's answer that are read; an answer of Slack has some
 * thousand.
 */
export const answerBytesMax = 262_144;
/**
 * Longest time for sending an e-mail. It is longer than for other messages, because mail servers
 * delay unknown senders by half a minute or more.
 */
export const mailMillisMax = 60_000;
/**
 * Longest time that a message waits for its picture. A server that is not busy draws a picture in
 * one second.
 */
export const pictureMillisMax = 30_000;
/** Characters of the title in the address of a picture. */
export const urlTitleCharactersMax = 300;
/** Alerts that an e-mail describes; the others are only counted. */
export const mailAlertsMax = 50;
/** Characters of the subject of an e-mail, and of each line of its text. */
export const mailSubjectCharactersMax = 200;
export const mailTextCharactersMax = 2_000;
/** Shortest and longest pause between two attempts. */
export const retryMillis = 5_000;
export const retryMillisMax = 300_000;
/** Longest pause that a recipient may request by Retry-After; longer pauses are shortened. */
export const retryAfterMillisMax = 3_600_000;
/** Longest time of one evaluation of an expression. */
export const evaluationMillisMax = 60_000;
/** Largest recorded number. The sum of 9,000 such numbers, in millionths, fits in 64 bits. */
export const recordedNumberMax = 1_000_000_000;
/** Age up to which the last value of a recorded series counts as current, as in Prometheus. */
export const lookbackMillis = 300_000;
/** Steps of a range query, as in Prometheus. */
export const answerStepsMax = 11_000;
/** Steps of a range query over profiles, because each step is a query. */
export const windowStepsMax = 250;
/** Numbers in one result of a range query. */
export const answerNumbersMax = 250_000;
/** Numbers in one message of remote write, as in Prometheus. */
export const remoteWriteSamplesMax = 2_000;
/** Time range that is read in one step for remote write. */
export const remoteWriteRangeMillis = 600_000;
/** Age up to which numbers are kept for an unavailable remote storage. */
export const remoteWriteAgeMillisMax = 86_400_000;
