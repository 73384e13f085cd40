// Limits of symbolize, each with its value, its unit and its reason.

const mebi = 1024 * 1024;

/**
 * Program or section headers of one ELF file. Object files that were compiled with
 * -ffunction-sections may have 100,000.
 */
export const elfHeadersMax = 262_144;
/** Maximum number of bytes of the names of sections of one ELF file: 64 bytes for each name. */
export const elfNameTableBytesMax = 16 * mebi;
/**
 * Maximum number of bytes of a name or path in an ELF file. Longer names are truncated, because a
 * string in a hostile file may have no end.
 */
export const elfTextBytesMax = 65_536;
/**
 * Maximum number of bytes of a section name. Names from -ffunction-sections may be longer, but are
 * not needed.
 */
export const elfSectionNameBytesMax = 256;
/** Note sections and segments that are read; real files have up to ten. */
export const elfNotePlacesMax = 16;
/** Maximum size of one section or segment of notes; a build id takes 36 bytes. */
export const elfNoteBytesMax = 65_536;
/** Maximum size of one symbol table, or of its strings; Chromium's have 100 MiB. */
export const elfSymbolBytesMax = 128 * mebi;
/**
 * Maximum number of bytes of the line table of a Go program, or of a section to which it refers.
 * The tables of Kubernetes have 40 MiB.
 */
export const goLineTableBytesMax = 128 * mebi;
/**
 * Maximum number of bytes of the build information of a Go program, which has a line for each
 * module.
 */
export const goBuildInfoBytesMax = mebi;
/** Characters of a module path, a version or a commit in the build information of a Go program. */
export const goBuildTextLengthMax = 1_000;
/** Nested inlined calls at one address of a Go program. Go's inlining budget allows about 30. */
export const goInlinedCallsMax = 1_000;
/**
 * Maximum size of a source map. The map of a bundle of 20 MB takes about 30 MiB with its sources.
 */
export const sourceMapBytesMax = 64 * mebi;
/**
 * JSON values of a source map, such as sources, names and sections. Two million values take about
 * 100 MB. Without the limit, 60 MB of brackets took 2.7 GB.
 */
export const sourceMapValuesMax = 2_000_000;
/**
 * Maximum number of bytes of the JavaScript heap of the thread that reads a source map. A thread
 * that needs more is ended.
 */
export const sourceMapHeapBytesMax = 768 * mebi;
/** Longest wall-clock time to read a source map; the machine may be busy. */
export const sourceMapMillisMax = 60_000;
/**
 * Estimated time that a caller's source map takes to read, until the first of them has been
 * measured.
 */
export const sourceMapMillisUsual = 1_000;
/** Maps that wait to be read, for uploads and for sources. */
export const sourceMapsWaitingMax = 64;
/** Longest time that a source map waits to be read. */
export const sourceMapWaitMillisMax = 30_000;
/**
 * Positions in a source map plus lines of its bundle. Each takes about 100 bytes while the map is
 * read.
 */
export const sourceMapPositionsMax = 2_000_000;
/** Names before a position that are checked in the search for the enclosing function. */
export const sourceMapNamesSearchedMax = 2_000;
/** Characters of a source from the name of a function to a position in it. */
export const sourceMapFunctionLengthMax = 100_000;
/** Addresses whose names are in memory. Each takes 300 bytes, including its share of strings. */
export const symbolizerAddressesMax = 1_000_000;
/**
 * Total size of the files on disk with the names of addresses. An address takes about 100 bytes.
 * All files are read at startup.
 */
export const symbolizerNameFileBytesMax = 64 * mebi;
/**
 * Maximum number of bytes of a file of names that are read in one turn of the event loop. Such a
 * turn takes a few milliseconds.
 */
export const namesReadAtOnceBytesMax = mebi / 4;
/** Addresses in one run of the symbolizer. Its response is then a few MiB. */
export const symbolizerBatchMax = 20_000;
/**
 * Time between two scans of arriving profiles for new addresses, whose names are then found before
 * the first query.
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
 * Addresses that wait to be looked up ahead. Each takes 60 bytes. If there are more, the others are
 * found again by a later scan.
 */
export const lookAheadAddressesMax = 100_000;
/** If names of more addresses are in memory, looking ahead leaves further addresses to queries. */
export const lookAheadKeptMax = symbolizerAddressesMax / 2;
/** Binaries whose paths are kept for the symbols page; each takes 200 bytes. */
export const binaryPathsMax = 20_000;
/** Demangled names of functions in memory; each takes about 200 bytes. */
export const demangledNamesMax = 200_000;
/** Longest name that is demangled, in UTF-16 units; longer names stay mangled. */
export const mangledNameLengthMax = 4_096;
/**
 * Longest demangled name, in UTF-16 units. The native symbolizer has the same limit. Without it,
 * hostile names could grow without bound.
 */
export const demangledNameLengthMax = 16_384;
/** Memory used by the module that demangles, in pages of 64 KiB: 32 MiB. Usual names take 2 MiB. */
export const demanglerMemoryPagesMax = 512;
/**
 * Crashes of the module that demangles, in one query. After this number of crashes, all other names
 * stay mangled. A crash takes 0.1 s.
 */
export const demanglerFailuresMax = 50;
/** Decompressed DWARF of one file in the memory of a thread of the server. */
export const dwarfBytesMax = 128 * mebi;
/**
 * Entries, ranges and lines that one query may read from a file. Reading 10 million takes a second.
 */
export const dwarfStepsMax = 200_000_000;
/**
 * Maximum number of bytes of the abbreviations of a file, which are searched when the file is
 * uploaded. Chromium has 20 MiB.
 */
export const dwarfAbbreviationBytesMax = 64 * mebi;
/** Abbreviations of one unit; compilers write a few hundred. */
export const dwarfAbbreviationsMax = 100_000;
/** Ranges of one function, call or unit. */
export const dwarfRangesMax = 1_000_000;
/** Ranges of all units of a file; each takes 60 bytes. */
export const dwarfUnitRangesMax = 1_000_000;
/** Folders or files in a line program. */
export const dwarfLineFilesMax = 1_000_000;
/** Rows of a line program; each takes 20 bytes. */
export const dwarfLineRowsMax = 2 ** 23;
/** Inlined calls at one address. The native symbolizer has the same limit. */
export const dwarfFramesMax = 1_000;
/**
 * Maximum number of references to follow from a call to the declaration of its function. Real files
 * have two.
 */
export const dwarfOriginsMax = 16;
/** Files from which names are read at the same time; each may use a core. */
export const symbolizerJobsMax = 2;
/** Longest wall-clock time of one run of the symbolizer, because the machine may be busy. */
export const symbolizerMillisMax = 120_000;
/**
 * Longest wall-clock time for reading symbol tables. It is needed because the thread has no limit
 * on CPU time.
 */
export const tableMillisMax = 30_000;
/** Maximum number of bytes of the response of one run of the symbolizer. */
export const symbolizerAnswerBytesMax = 256 * mebi;
/** CPU time of one disassembly, which may read the symbols and lines of a large program. */
export const disassemblyCpuSecondsMax = 10;
/**
 * Longest wall-clock time of one disassembly; it is short, because a person waits for the result.
 */
export const disassemblyMillisMax = 20_000;
/**
 * Maximum number of bytes of the response of a disassembly. An instruction takes about 100 bytes,
 * and a function has up to 64 KiB of code.
 */
export const disassemblyBytesMax = 32 * mebi;
/**
 * Instructions of one response. Three functions of 64 KiB have as many, with four bytes per
 * instruction.
 */
export const disassemblyInstructionsMax = 50_000;
/**
 * Requested addresses of a function. A function of 64 KiB has at most one address for each byte.
 */
export const disassemblyAddressesMax = 65_536;
