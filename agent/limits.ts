// All limits of the agent, each with its value, its unit and its reason.

const mebi = 1024 * 1024;

/** Bytes read of a file below /proc; command lines and environments may be longer. */
export const procFileBytesMax = 256 * 1024;
/** Bytes of a package.json that is read for the name of a service. */
export const packageBytesMax = 256 * 1024;
/** Characters of a command line that become a label; a label value of the server is 4,096 bytes. */
export const commandLineLengthMax = 1_024;
/** Running programs whose labels are remembered; the least recently sampled are dropped first. */
export const processesMax = 32_768;
/**
 * Time after which a process that relabeling drops is no longer sampled: by then its labels are
 * complete.
 */
export const settledMillis = 10_000;
/** Programs that have ended and are remembered, with 2 KB each. */
export const endedProgramsMax = 1_024;
/** Time after which labels are read again, as in Parca (--profiling-label-ttl). */
export const labelLifeMillis = 600_000;
/** Containers of one runtime, and of the kubelet's log folder, that are remembered. */
export const containersMax = 8_192;
/** Time after which the kubelet's log folder is searched again for an unknown container. */
export const containerRetryMillis = 30_000;
/**
 * Time between two lists from the kubelet, which reports no changes; a list of 110 pods has some
 * MB.
 */
export const kubeletPollMillis = 10_000;
/** Longest time of an answer from a container runtime, because a batch of samples waits for it. */
export const runtimeMillisMax = 2_000;
/** Longest time between two attempts to watch a runtime. */
export const runtimeRetryMillisMax = 30_000;
/** Bytes of a list of containers; that of 1,000 takes 2 MB, of containerd with specs 20 MB. */
export const runtimeAnswerBytesMax = 64 * mebi;
/** Users whose container engines are remembered; the least recently seen are dropped first. */
export const userEnginesMax = 64;
/** Containers of one user that are remembered. */
export const userContainersMax = 256;
/**
 * Longest time of an answer from a user's engine: a batch waits for it, and the user controls it.
 */
export const userRuntimeMillisMax = 500;
/** Bytes of a list of a user's containers; that of 256 takes some 500 KB. */
export const userAnswerBytesMax = 2 * mebi;
/** Longest time of an answer about the cloud instance. */
export const instanceMillisMax = 2_000;
/** Time between two attempts to get it. */
export const instanceRetryMillis = 60_000;
/** Size of such an answer; those of AWS and Azure have some kilobytes. */
export const instanceAnswerBytesMax = 64 * 1024;
/** Bytes of the file in which ECS describes a container. */
export const ecsFileBytesMax = 64 * 1024;

/**
 * Bytes of samples that wait for the agent, which gets little CPU time on a busy host: two minutes
 * of 64 busy CPUs at 19 Hz.
 */
export const waitingBytesMax = 64 * mebi;

/** Size above which a perf map is not read: that of a large Java program has 5 MB. */
export const perfMapBytesMax = 64 * mebi;
/** Symbols of a perf map: more would take over a tenth of a second to sort at each reading. */
export const perfMapSymbolsMax = 250_000;
/** Bytes of all perf maps that are read in one go; the rest waits for the next reading. */
export const perfMapReadingBytesMax = 2 * mebi;
/** Characters of a function's name; longer names are cut. */
export const functionNameLengthMax = 1_024;
/** Shortest time between two readings of a perf map, which keeps growing. */
export const perfMapRereadMillis = 500;
/** Symbols of all perf maps in memory. */
export const perfMapsSymbolsMax = 500_000;
/** Number of symbols that an empty map counts as, such as that of a process without a perf map. */
export const perfMapSymbolsLeast = 16;
/** Bytes of a jitdump that are read, without the machine code in it, which is passed over. */
export const jitDumpBytesMax = 64 * mebi;
/** Lines of a jitdump: one takes 16 bytes. */
export const jitDumpLinesMax = 500_000;
/** Bytes of a record with lines of one function; a longer one is passed over. */
export const jitDumpRecordBytesMax = mebi;
/** Bytes of /proc/PID/maps that are searched for a jitdump: some 80,000 mappings. */
export const jitDumpMapsBytesMax = 8 * mebi;
/**
 * Time between two searches for the jitdump of a process; each search without success makes it
 * four times as long, up to the second limit: most compilers write none.
 */
export const jitDumpSearchMillis = 1_000;
export const jitDumpSearchMillisMax = 600_000;
/** Bytes of /proc/kallsyms; 122,000 symbols have 5 MB. */
export const kallsymsBytesMax = 64 * mebi;
/** Shortest time between two searches for new kernel modules. */
export const kallsymsRereadMillis = 600_000;

/** Executables whose facts (build id, compiler) are remembered. */
export const executableFactsMax = 4_096;
/** Bytes of a file's section with the names of its compilers. */
export const commentBytesMax = 65_536;
/** Bytes of symbols in memory: those of Node take 4 MB; its names stay in the file. */
export const symbolTableBytesMax = 32 * mebi;
/** Bytes of names in memory: a host runs in some thousands of functions. */
export const heldNamesBytesMax = 4 * mebi;
/** Bytes of one name in a symbol table; a longer one is cut. */
export const symbolNameBytesMax = 4_096;

/** Time from the start to the first batch: short, so that something shows soon. */
export const firstReportMillis = 1_000;
/** Bytes of garbage, objects and arrays, at which a collection is started. */
export const garbageBytesMax = 8 * mebi;
/** Profiles in one WriteArrow request: 8 MiB if each has 1,000 stacks of its own. */
export const profilesPerRecordMax = 256;
/** Processes that the status page shows; the most sampled ones come first. */
export const statusRowsMax = 200;
/** Longest CPU profile that the status page takes. */
export const statusProfileSecondsMax = 60;

/** Bytes of one file of debug information; servers take 1 GB. */
export const uploadBytesMax = 1_000_000_000;
/** Time after which a file is offered again that failed, or that somebody else is uploading. */
export const uploadRetryMillis = 300_000;
/** Time between two requests about a file that the server has. */
export const uploadRecheckMillis = 3_600_000;
/** Build ids whose uploads are remembered; the add-on remembers as many files. */
export const uploadsRememberedMax = 8_192;
/** Split DWARF of one program that parcatool packs in memory: 1 GiB of .dwo files. */
export const splitDwarfBytesMax = 1024 ** 3;
/**
 * Split DWARF of one program that the agent packs in memory, one program at a time, because its
 * host has other work. A package (.dwp) is read in pieces, whatever its size.
 */
export const agentSplitDwarfBytesMax = 64 * mebi;
