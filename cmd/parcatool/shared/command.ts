// Definition of a command: its arguments, flags and output.
import type { FlagRow } from '../../flag-table.ts';
import type { Options } from './options.ts';
import type { Terminal } from './terminal.ts';

/** Output of a command: printed, or written to --output. */
export type Output = string | Uint8Array;

/** Output with an exit code: 1 if `isFailed`. */
export interface FailedOutput {
  readonly text: string;
  readonly isFailed: boolean;
}

/** Output with an exit code. */
export interface CodedOutput {
  readonly text: string;
  readonly code: number;
}

export interface Command {
  /** Command name with one or two words. */
  readonly name: string;
  /**
   * Arguments in addition to flags: "" = none, "[NAME]" = one that is optional, "NAME..." =
   * several.
   */
  readonly argument: string;
  readonly help: string;
  readonly flags: readonly FlagRow[];
  /** Choices of --format; the first is the default. */
  readonly formats: readonly string[];
  run(
    args: readonly string[],
    options: Options,
    terminal: Terminal,
  ): Promise<Output | FailedOutput | CodedOutput>;
}
