// Limits of symbolize, each with its value, its unit and its reason.

const mebi = 1024 * 1024;

/** Program or section headers of one ELF file; with -ffunction-sections, objects have 100,000. */
export const elfHeadersMax = 262_144;
/** Names of sections of one ELF file: 64 bytes for each name. */
export const elfNameTableBytesMax = 16 * mebi;
/**
 * Length of a name or path in an ELF file; longer names are truncated. In hostile files, a string
 * may have no end.
 */
export const elfTextBytesMax = 65_536;
/** Length of a section name; names from -ffunction-sections may be longer, but are not needed. */
export const elfSectionNameBytesMax = 256;
/** Note sections and segments that are read; real files have up to ten. */
export const elfNotePlacesMax = 16;
/** Size of one section or segment of notes; a build id takes 36 bytes. */
export const elfNoteBytesMax = 65_536;
/** Size of one symbol table, or of its strings; Chromium's have 100 MiB. */
export const elfSymbolBytesMax = 128 * mebi;
/**
 * Size of the line table of a Go program, or of a section that it refers to; tables of Kubernetes
 * have 40 MiB.
 */
export const goLineTableBytesMax = 128 * mebi;
/** Size of the build information of a Go program, which has a line for each of its modules. */
export const goBuildInfoBytesMax = mebi;
/** Characters of a module path, a version or a commit in the build information of a Go program. */
export const goBuildTextLengthMax = 1_000;
/** Nested inlined calls of Go at one address; its inlining budget allows about 30. */
export const goInlinedCallsMax = 1_000;
/** Size of a source map. The map of a bundle of 20 MB takes about 30 MiB with its sources. */
export const sourceMapBytesMax = 64 * mebi;
/**
 * JSON values of a source map: sources, names, sections. 60 MB of brackets took 2.7 GB; two million
 * values take about 100 MB.
 */
export const sourceMapValuesMax = 2_000_000;
/** JavaScript heap of the thread that reads a source map; a thread that needs more is ended. */
export const sourceMapHeapBytesMax = 768 * mebi;
/** Wall-clock time to read a source map on a machine that may be busy. */
export const sourceMapMillisMax = 60_000;
/** Estimated time to read a source map, until a caller has been measured. */
export const sourceMapMillisUsual = 1_000;
/** Maps that wait to be read, for uploads and for sources. */
export const sourceMapsWaitingMax = 64;
/** Longest time that a source map waits to be read. */
export const sourceMapWaitMillisMax = 30_000;
/**
 * Positions in a source map, and lines of its bundle: each takes about 100 bytes while the map is
 * read.
 */
export const sourceMapPositionsMax = 2_000_000;
/** Names before a position that are checked in the search for the enclosing function. */
export const sourceMapNamesSearchedMax = 2_000;
/** Characters of a source from the name of a function to a position in it. */
export const sourceMapFunctionLengthMax = 100_000;
/** Addresses with names in memory: 300 bytes each, including their share of strings. */
export const symbolizerAddressesMax = 1_000_000;
/**
 * Files on disk with the names of addresses: about 100 bytes each. All of them are read at startup.
 */
export const symbolizerNameFileBytesMax = 64 * mebi;
/** Bytes of a file of names that are read in one turn, which takes a few milliseconds. */
export const namesReadAtOnceBytesMax = mebi / 4;
/** Addresses in one run of the symbolizer, whose answer then has a few MiB. */
export const symbolizerBatchMax = 20_000;
/**
 * Time between two scans of the addresses in arriving profiles, to find their names before the
 * first query.
 */
export const lookAheadMillis = 1_000;
/** Long-term share of a core for looking ahead. */
export const lookAheadShare = 0.1;
/**
 * Time that looking ahead may take in a burst, which is enough for the first minute of an agent
 * with about a hundred binaries.
 */
export const lookAheadBurstMillis = 20_000;
/**
 * Shortest time between two runs for one binary, so that its new addresses are looked up together.
 */
export const lookAheadBuildMillis = 15_000;
/**
 * Addresses that wait to be looked up ahead; each takes 60 bytes. Further addresses are found again
 * when the waiting ones are done.
 */
export const lookAheadAddressesMax = 100_000;
/** Addresses with names in memory above which looking ahead leaves other addresses to queries. */
export const lookAheadKeptMax = symbolizerAddressesMax / 2;
/** Binaries whose paths are kept for the symbols page: 200 bytes each. */
export const binaryPathsMax = 20_000;
/** Demangled names of functions in memory: about 200 bytes each. */
export const demangledNamesMax = 200_000;
/** Longest name that is demangled, in UTF-16 units; longer names stay mangled. */
export const mangledNameLengthMax = 4_096;
/**
 * Longest demangled name, in UTF-16 units, as in the native symbolizer: hostile names grow without
 * limit.
 */
export const demangledNameLengthMax = 16_384;
/** Memory of the module that demangles, in pages of 64 KiB: 32 MiB. Usual names take 2 MiB. */
export const demanglerMemoryPagesMax = 512;
/**
 * Crashes of the module that demangles, in one query. After these, the other names stay mangled. A
 * crash takes 0.1 s.
 */
export const demanglerFailuresMax = 50;
/** Decompressed DWARF of one file in the memory of a thread of the server. */
export const dwarfBytesMax = 128 * mebi;
/** Entries, ranges and lines that one query may read of a file; 10 million take a second. */
export const dwarfStepsMax = 200_000_000;
/**
 * Size of the abbreviations of a file, which are searched when it is uploaded; Chromium has 20 MiB.
 */
export const dwarfAbbreviationBytesMax = 64 * mebi;
/** Abbreviations of one unit; compilers write a few hundred. */
export const dwarfAbbreviationsMax = 100_000;
/** Ranges of one function, call or unit. */
export const dwarfRangesMax = 1_000_000;
/** Ranges of all units of a file: 60 bytes each. */
export const dwarfUnitRangesMax = 1_000_000;
/** Folders or files in a line program. */
export const dwarfLineFilesMax = 1_000_000;
/** Rows of a line program: 20 bytes each. */
export const dwarfLineRowsMax = 2 ** 23;
/** Inlined calls at one address, as in the native symbolizer. */
export const dwarfFramesMax = 1_000;
/**
 * Successive references from a call to the declaration of its function; in real files, there are
 * two.
 */
export const dwarfOriginsMax = 16;
/** Files that names are read from at the same time; each may use a core. */
export const symbolizerJobsMax = 2;
/** Longest wall-clock time of one run of the symbolizer, because the machine may be busy. */
export const symbolizerMillisMax = 120_000;
/** Wall-clock time for reading symbol tables, whose thread has no limit on CPU time. */
export const tableMillisMax = 30_000;
/** Size of the answer of one run of the symbolizer. */
export const symbolizerAnswerBytesMax = 256 * mebi;
/** CPU time of one disassembly, which may read the symbols and lines of a large program. */
export const disassemblyCpuSecondsMax = 10;
/** Wall-clock time of one disassembly, because a person waits for it. */
export const disassemblyMillisMax = 20_000;
/** Answer of a disassembly; an instruction takes about 100 bytes, and a function up to 64 KiB. */
export const disassemblyBytesMax = 32 * mebi;
/** Instructions of one answer, as many as three functions of 64 KiB have at four bytes each. */
export const disassemblyInstructionsMax = 50_000;
/** Requested addresses of a function; a function of 64 KiB has at most one for each byte. */
export const disassemblyAddressesMax = 65_536;
