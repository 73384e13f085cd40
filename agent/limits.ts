// All limits of the agent, each with its value, its unit and its reason.

const mebi = 1024 * 1024;

/** Bytes that are read from a file below /proc; command lines and environments may be longer. */
export const procFileBytesMax = 256 * 1024;
/** Largest package.json that is read to find the name of a service, in bytes. */
export const packageBytesMax = 256 * 1024;
/**
 * Characters of a command line that are kept as a label; the server accepts label values of up to
 * 4,096 bytes.
 */
export const commandLineLengthMax = 1_024;
/**
 * Maximum number of running programs whose labels are remembered; the least recently sampled
 * programs are dropped first.
 */
export const processesMax = 32_768;
/**
 * Time after which a process that relabeling drops is no longer sampled. Its labels are complete by
 * then.
 */
export const settledMillis = 10_000;
/** Maximum number of ended programs that are remembered, with 2 KB each. */
export const endedProgramsMax = 1_024;
/** Time after which labels are read again, as in Parca (--profiling-label-ttl). */
export const labelLifeMillis = 600_000;
/**
 * Maximum number of containers that are remembered for each runtime, and for the kubelet's log
 * folder.
 */
export const containersMax = 8_192;
/** Time after which the kubelet's log folder is searched again for an unknown container. */
export const containerRetryMillis = 30_000;
/**
 * Time between two requests to the kubelet for a list of pods. The kubelet does not report changes,
 * and a list of 110 pods is several MB.
 */
export const kubeletPollMillis = 10_000;
/**
 * Longest wait for a response of a container runtime; it is short, because a batch of samples has
 * to wait, too.
 */
export const runtimeMillisMax = 2_000;
/** Longest pause between two attempts to watch a runtime. */
export const runtimeRetryMillisMax = 30_000;
/**
 * Maximum number of bytes of a list of containers. A list of 1,000 containers has 2 MB, or 20 MB
 * with containerd's specs.
 */
export const runtimeAnswerBytesMax = 64 * mebi;
/**
 * Maximum number of users whose container engines are remembered; the least recently seen users are
 * dropped first.
 */
export const userEnginesMax = 64;
/** Maximum number of containers that are remembered for each user. */
export const userContainersMax = 256;
/**
 * Longest wait for a response of a user's engine. It is short, because the user controls the
 * engine, and a batch of samples has to wait.
 */
export const userRuntimeMillisMax = 500;
/** Maximum number of bytes of a list of a user's containers; 256 containers take about 500 KB. */
export const userAnswerBytesMax = 2 * mebi;
/** Longest wait for a response about the cloud instance. */
export const instanceMillisMax = 2_000;
/** Time between two requests for information about the cloud instance. */
export const instanceRetryMillis = 60_000;
/**
 * Maximum number of bytes of a response about the cloud instance; AWS and Azure send a few
 * kilobytes.
 */
export const instanceAnswerBytesMax = 64 * 1024;
/** Maximum number of bytes of the file in which ECS describes a container. */
export const ecsFileBytesMax = 64 * 1024;

/**
 * Maximum number of bytes of samples that may wait for the agent, which gets little CPU time on a
 * busy host. This is enough for two minutes of samples from 64 busy CPUs at 19 Hz.
 */
export const waitingBytesMax = 64 * mebi;

/**
 * Maximum number of bytes of a perf map; a larger map is not read. The map of a large Java program
 * has 5 MB.
 */
export const perfMapBytesMax = 64 * mebi;
/** Symbols of a perf map: sorting more at each read would take over a tenth of a second. */
export const perfMapSymbolsMax = 250_000;
/** Bytes that are read from all perf maps at a time; the rest is read the next time. */
export const perfMapReadingBytesMax = 2 * mebi;
/** Characters of a function's name; longer names are truncated. */
export const functionNameLengthMax = 1_024;
/** Shortest time between two reads of a perf map, which keeps growing. */
export const perfMapRereadMillis = 500;
/** Symbols of all perf maps in memory. */
export const perfMapsSymbolsMax = 500_000;
/**
 * Number of symbols that is counted for a process with fewer symbols, so that the number of such
 * processes is limited, too.
 */
export const perfMapSymbolsLeast = 16;
/** Bytes that are read from a jitdump, not counting machine code, which is skipped. */
export const jitDumpBytesMax = 64 * mebi;
/** Lines of all functions in a jitdump; a line takes 16 bytes. */
export const jitDumpLinesMax = 500_000;
/** Largest record with the lines of one function, in bytes; a larger record is skipped. */
export const jitDumpRecordBytesMax = mebi;
/**
 * Maximum number of bytes of /proc/PID/maps that are searched for a jitdump; about 80,000 mappings.
 */
export const jitDumpMapsBytesMax = 8 * mebi;
/**
 * Time between two searches for the jitdump of a process. Each search that finds nothing quadruples
 * it, up to the second limit, because most runtimes do not write jitdumps.
 */
export const jitDumpSearchMillis = 1_000;
export const jitDumpSearchMillisMax = 600_000;
/** Maximum number of bytes of /proc/kallsyms; 122,000 symbols take 5 MB. */
export const kallsymsBytesMax = 64 * mebi;
/** Shortest time between two checks for new kernel modules. */
export const kallsymsRereadMillis = 600_000;

/** Executables whose facts (build id, compiler) are remembered. */
export const executableFactsMax = 4_096;
/** Maximum number of bytes of the section of a file that names its compilers. */
export const commentBytesMax = 65_536;
/**
 * Maximum number of bytes of symbols in memory. The symbols of Node take 4 MB; their names stay in
 * the file.
 */
export const symbolTableBytesMax = 32 * mebi;
/**
 * Maximum number of bytes of names in memory; a host usually runs code of a few thousand functions.
 */
export const heldNamesBytesMax = 4 * mebi;
/** Maximum number of bytes of one name in a symbol table; a longer name is cut. */
export const symbolNameBytesMax = 4_096;

/** Time from the start to the first batch; short, so that users soon see something. */
export const firstReportMillis = 1_000;
/**
 * Maximum number of bytes of garbage (objects and arrays) after which a garbage collection starts.
 */
export const garbageBytesMax = 8 * mebi;
/**
 * Profiles in one WriteArrow request. The request is 8 MiB if each profile has 1,000 stacks that no
 * other profile has.
 */
export const profilesPerRecordMax = 256;
/**
 * Maximum number of processes that the status page shows, starting with the process with the most
 * samples.
 */
export const statusRowsMax = 200;
/** Longest CPU profile that the status page offers, in seconds. */
export const statusProfileSecondsMax = 60;

/** Maximum number of bytes of one file of debug information; servers accept 1 GB. */
export const uploadBytesMax = 1_000_000_000;
/**
 * Time after which a file is offered again after a failure, or after an upload by another client.
 */
export const uploadRetryMillis = 300_000;
/** Time between two requests about a file that the server has. */
export const uploadRecheckMillis = 3_600_000;
/**
 * Maximum number of build ids whose uploads are remembered; the add-on remembers the same number of
 * files.
 */
export const uploadsRememberedMax = 8_192;
/**
 * Maximum number of bytes of split DWARF (.dwo files) of one program that parcatool packs in
 * memory.
 */
export const splitDwarfBytesMax = 1024 ** 3;
/**
 * Maximum number of bytes of split DWARF that the agent packs in memory for one program. The agent
 * packs one program at a time, because the host's memory is needed for other work. A package (.dwp)
 * of any size is read in pieces.
 */
export const agentSplitDwarfBytesMax = 64 * mebi;
