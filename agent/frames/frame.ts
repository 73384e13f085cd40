// A frame of a stack as the agent sends it.

/** Function or address, and its file. Addresses do not depend on where the file was mapped. */
export interface Frame {
  /** Path of the file, or a name in brackets such as [kernel.kallsyms]. */
  readonly mapping: string;
  /** In hexadecimal, "" when there is none. */
  readonly buildId: string;
  /** ELF virtual address; 0n for frames that already have a name. */
  readonly address: bigint;
  /** Name as the linker or the runtime gives it; "" if the server is to find it. */
  readonly functionName: string;
  /** "" when it is not known. */
  readonly fileName: string;
  /** Line where the function starts; 0 when it is not known. */
  readonly startLine: number;
  /** Current line; 0 if unknown, for example if the server finds it by the address. */
  readonly line: number;
}
