// Limits for scraping, each with its value, unit and reason.

const mebi = 1024 * 1024;

/** Maximum number of bytes of a page that lists the profiles of a target; Go's page has 6 KB. */
export const scrapeIndexBytesMax = mebi;
/** Queued results of failed scrapes, which take 300 bytes each; further results are dropped. */
export const failedScrapesWaitingMax = 10_000;
/** Results of failed scrapes in one write, which takes 5 ms if their series are new. */
export const failedScrapesWrittenMax = 100;
/** Failed scrapes of a job that are logged per minute, because there may be 10,000 a second. */
export const loggedFailuresMax = 100;
/**
 * Smallest and largest number of scrapes that may start in one turn of the event loop while more
 * are due. 16 failing scrapes take 5 ms, so 800 can start per second even if other work takes most
 * of the time. 512 scrapes at once need little memory.
 */
export const startsOfTurnMin = 16;
export const startsOfTurnMax = 512;
/**
 * If a turn of the event loop is shorter than this, the next turn starts more scrapes. If it is
 * more than twice as long, the next turn starts fewer.
 */
export const startsTurnMillis = 10;
/**
 * Maximum number of bytes of scraped bodies that are not stored yet, for all targets. Above this
 * limit, scrapes fail.
 */
export const scrapeBodiesBytesMax = 256 * mebi;
/** Relabeling rules in a test. */
export const relabelTestRulesMax = 200;
/** Source labels of all rules of a test. 8,000 labels take 20 ms each time the rules are applied. */
export const relabelTestSourcesMax = 1_000;
/**
 * Cost of a test: the steps of its regular expressions times the characters of the labels. A test
 * of this cost takes a third of a second.
 */
export const relabelTestCostMax = 30_000_000;
/**
 * Characters of the labels after each rule of a test, added up for all rules; the response contains
 * all of these labels.
 */
export const relabelTestLabelsMax = 4_194_304;
/** Characters of the rules; parsing them takes a tenth of a second. */
export const relabelTestTextMax = 16_384;
/** Scrapes of a target that the targets page shows. */
export const recentScrapesMax = 20;
