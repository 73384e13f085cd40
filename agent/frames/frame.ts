// A stack frame as sent by the agent.

/**
 * A function or an address, with its file. The address does not depend on where the file is mapped.
 */
export interface Frame {
  /** Path of the file, or a name in brackets such as [kernel.kallsyms]. */
  readonly mapping: string;
  /** Hexadecimal build id; "" = none. */
  readonly buildId: string;
  /** ELF virtual address; 0n for frames with a name. */
  readonly address: bigint;
  /** Name from the linker or runtime; "" if the server should symbolize the frame. */
  readonly functionName: string;
  /** "" = unknown. */
  readonly fileName: string;
  /** First line of the function; 0 = unknown. */
  readonly startLine: number;
  /** Current line; 0 if unknown, for example if the server symbolizes the frame. */
  readonly line: number;
}
