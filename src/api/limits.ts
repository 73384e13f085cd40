// Limits of api, each with its value, its unit and its reason.

const mebi = 1024 * 1024;

/**
 * Maximum number of bytes of the largest request that is decoded to objects; queries have up to 64
 * KB.
 */
export const decodedRequestBytesMax = mebi;
/**
 * Fields of a request that is decoded to objects. Decoding 50,000 fields takes 5 to 10 ms; a query
 * has a few hundred.
 */
export const decodedFieldsMax = 50_000;
/** Unknown fields of a push; each takes 30 ns to skip. */
export const unknownFieldsMax = 100_000;
/**
 * Objects and lists in a JSON body of the gateway that the main thread converts to messages.
 * Converting 900,000 took 0.7 s. A push of 10,000 series with 12 labels has about 150,000.
 */
export const gatewayObjectsMax = 200_000;
/**
 * Requests that wait while the files of the page are loaded. All of them are answered in one turn
 * of the event loop.
 */
export const uiFilesWaitingMax = 100;
/** Characters of the description of a mark, which the page shows on one line. */
export const markTextLengthMax = 200;
export const markLinkLengthMax = 1_000;
export const markLabelsMax = 16;
export const markLabelLengthMax = 256;
/** Maximum number of bytes of a request in JSON that marks a time. */
export const markBodyBytesMax = 64 * 1024;
/** Characters of the name of a saved view: a list shows it on one line. */
export const viewNameLengthMax = 100;
/** Characters of the address of a saved view: a long query and its state. */
export const viewAddressLengthMax = 8_000;
/**
 * Maximum number of bytes of a request in JSON that stores a saved view or prefixes of own code.
 */
export const pageFileBodyBytesMax = 64 * 1024;
/** Prefixes that identify the own code of a service; each is compared with each function. */
export const ownCodePrefixesMax = 50;
export const ownCodeTextLengthMax = 256;
/** Time for which counts of series are cached, as a multiple of the time that counting took. */
export const cardinalityKeptTimes = 20;
/** Maximum number of bytes of a request that changes the state of a finding. */
export const findingBodyBytesMax = 4096;
/** Maximum number of bytes of a request that tests relabeling. */
export const relabelTestBytesMax = 65_536;
/** Maximum number of bytes of a message that is converted to JSON in one step. */
export const jsonMessageBytesMax = 65_536;
/** Time after which an unread answer no longer delays other answers. */
export const answerStallMillis = 250;
/** Maximum number of bytes of messages that wait to be written as JSON, one at a time. */
export const jsonWaitingBytesMax = 64 * mebi;
/** Callers whose pushes or refusals are counted; and networks whose refusals are counted. */
export const callersCountedMax = 1_000;
/** Callers that metrics name; the others are counted together. */
export const callersNamedMax = 100;
/** Calls of query servers that read at the same time; each holds up to 4 MiB. */
export const partsReadsMax = 8;
/** Calls of query servers that wait to read; one query server makes about 50 calls at a time. */
export const partsReadsWaitingMax = 256;
/** Estimated duration of a query server's call, used until the first call has been measured. */
export const partsReadMillisUsual = 2;
/** Build ids that one answer lists; the page shows no more. */
export const symbolsListedMax = 2_000;
/** Filters of one report; each checks every frame of the query. */
export const filtersMax = 64;
/** Memory used by one report, and kept for the next one; a graph of 600,000 calls takes 50 MiB. */
export const reportMemoryBytesMax = 64 * mebi;
/**
 * Maximum number of bytes of one answer that show values by file, for functions whose name is in
 * several files; a file takes about 80 bytes. Without a limit, names in many files with long paths
 * would make the answer a hundred times as large.
 */
export const flatPartsBytesMax = 4 * mebi;
/** Stored settings of Grafana's app, which has only a few. */
export const appSettingsMax = 1_000;
/**
 * Characters of the names and values of all settings of Grafana's app, which are written and
 * returned together. Everybody with the scope read can store settings.
 */
export const appSettingsLengthMax = 65_536;
/** Panics of agents that are logged in an hour; the metric counts all of them. */
export const panicsLoggedMax = 20;
/** Characters at the end of one panic that are logged. */
export const panicTextLengthMax = 8_192;
/** Values listed in one answer about a label, each with its numbers of series and profiles. */
export const labelValuesMax = 100_000;
/**
 * Answers with lists of series, labels, values and types that wait to be converted to JSON; while
 * they wait, they need little memory.
 */
export const listsWaitingMax = 64;
/**
 * Requests for lists of targets and tests of relabeling that wait for their turn; while they wait,
 * they need little memory.
 */
export const targetAnswersWaitingMax = 64;
/**
 * Refusals of a caller that are answered immediately, in each second. A thousand agents at one
 * address are refused about a hundred times a second.
 */
export const refusalsPerSecond = 100;
/**
 * The same limit for all callers of a network, which may be a cluster whose agents are all refused.
 */
export const refusalsOfNetworkPerSecond = 300;
/** Delay of further refusals, which is at most the time that callers are told to wait. */
export const refusalWaitMillis = 1_000;
/** Refusals that wait at the same time; each holds a request without its body, about 20 KB. */
export const refusalsWaitingMax = 2_000;
/** Time for which a stopping server waits for streams that only their callers can end. */
export const endlessStreamMillisMax = 500;
/**
 * HTTP/1.1 requests that a connection may send before it gets an answer; clients rarely do that.
 */
export const pipelinedRequestsMax = 32;
/**
 * Most requests and connections that begin in one turn of the event loop, and the time in which
 * they may begin; each takes 0.1 to 1 ms.
 */
export const requestsPerTurnMax = 50;
export const requestsPerTurnMillis = 4;
/** Health watches at the same time, of all callers and of one caller. */
export const healthWatchesMax = 1_000;
export const healthWatchesOfCallerMax = 200;
/**
 * Time between two checks of a Health/Watch call for a changed state; most changes have no event.
 */
export const healthWatchMillis = 1_000;
/** Time between two checks of waiting answers. */
export const unreadAnswersCheckMillis = 250;
/** Bytes of messages of a stream that wait for its method before the caller is slowed down. */
export const streamQueueBytes = 256 * 1024;
/** Messages that are decompressed at the same time; Node's thread pool has four threads. */
export const decompressionsMax = 4;
/** Memory used by an HTTP/1.1 upload: the buffers of its socket and its body. */
export const httpUploadBytes = 256 * 1024;
/**
 * HTTP/2 upload window of a stream. With the default of 64 KB, remote uploads are 40 times slower.
 */
export const streamWindowBytes = 8 * mebi;
/** HTTP/2 upload window of a connection. */
export const connectionWindowBytes = 32 * mebi;
/** Cached results of password checks: a limit for right passwords, and the same for wrong ones. */
export const passwordVerdictsMax = 1_000;
/** Passwords that wait to be checked, one by one; beyond that, requests are refused. */
export const passwordChecksWaitingMax = 256;
/** Passwords that wait to be checked, of one caller and of one user. */
export const passwordChecksOfCallerMax = 16;
export const passwordChecksOfUserMax = 4;
/**
 * Refusals of one address that get a line in the audit log, each minute; the rest are only counted.
 */
export const auditRefusalsMax = 20;
export const auditWindowMillis = 60_000;
/** Addresses whose refusals are counted separately. */
export const auditCallersMax = 1_000;
/** Characters of a string in the audit log. */
export const auditTextLengthMax = 2_000;
/** Duration of a session of the page. */
export const sessionMillisMax = 7 * 86_400_000;
/**
 * Bytes up to which a pushed text file is read on the main thread. Reading takes 1 to 2 ms, at most
 * 10 ms.
 */
export const importHereBytesMax = 16 * 1024;
/** Java recordings in one push; a large recording starts a thread. */
export const recordingsPerPushMax = 16;
/**
 * Size above which an OTLP request is decoded in a thread, because a MiB takes a tenth of a second.
 */
export const otlpInThreadBytesMin = mebi / 2;
/**
 * Largest amount of work, as decodeOtlp counts it, that is done without a thread; it takes 6 ms.
 * Half a MiB may have 250,000 messages, which take 50 ms.
 */
export const otlpHereWorkMax = 30_000;
/** Threads that decode OTLP requests at the same time. */
export const otlpThreadsMax = 2;
/** Threads that extract the ids of stacks from large messages of Write at the same time. */
export const stackIdThreadsMax = 2;
/**
 * Size above which a JSON request is converted in a thread, because a MiB takes a tenth of a
 * second.
 */
export const jsonInThreadBytesMin = mebi;
/** Values above which a JSON request is converted in a thread; converting 10,000 takes 5 ms. */
export const jsonInThreadValuesMin = 10_000;
/** Threads that convert JSON requests at the same time. */
export const jsonThreadsMax = 2;
/** Parts of a pushed form; clients send two or three. */
export const formPartsMax = 100;
/** Maximum number of bytes of the headers of one part. */
export const formHeaderBytesMax = 8_192;
/** Maximum number of bytes of the form in which the page sends a token. */
export const loginBodyBytesMax = 16 * 1024;
/**
 * Longest time that a stopping server waits for running answers. After that, it needs time to close
 * the storage.
 */
export const drainMillisMax = 25_000;
/** Longest CPU profile of the server itself, in seconds. */
export const selfProfileSecondsMax = 300;
/** Pushing agents that are remembered for the agents page. */
export const agentsMax = 10_000;

/**
 * Levels of a stack in flame graphs that are sent as nested messages. Protobuf readers refuse
 * messages that are nested more than 100 levels deep, and the content of a frame takes up to 5
 * levels.
 */
export const nestedReportDepthMax = 90;
/**
 * Files that are sent to gdb and other clients of debuginfod at the same time; each has a buffer.
 */
export const debuginfodDownloadsMax = 32;
/** Files that are sent to one client of debuginfod at the same time. */
export const debuginfodDownloadsOfCallerMax = 16;
/** Lines of one heatmap. A program may have far more threads than anybody reads. */
export const heatmapLinesMax = 1_000;
