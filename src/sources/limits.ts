// Limits of sources, each with its value, its unit and its reason.

const mebi = 1024 * 1024;

/**
 * Maximum number of bytes of the unpacked content of an archive of sources; the Linux kernel has
 * 1.5 GB.
 */
export const sourceArchiveBytesMax = 4096 * mebi;
/** Members of an archive of sources: files, folders and links. The Linux kernel has 90,000. */
export const sourceArchiveMembersMax = 250_000;
/** Characters of the name of a source file: as many as Linux allows for a path (PATH_MAX). */
export const sourceNameLengthMax = 4096;
/** Maximum number of bytes of memory for the lists of files in archives. */
export const sourceListsBytesMax = 64 * mebi;
