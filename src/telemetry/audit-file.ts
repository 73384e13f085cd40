// The audit log. Appends lines of JSON to a file without delaying the actions that it records.
import { auditBytesWaitingMax } from './limits.ts';
import { errorMessage } from '../base/errors.ts';
import type { LogFields, Logger } from '../base/logger.ts';
import type { Counter, Metrics } from '../base/metrics.ts';
import { escapedForLogs } from '../base/printable.ts';

/** File or stream that the lines are appended to. */
export interface AuditOutput {
  append(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/**
 * Writes lines in batches. Drops lines if too many bytes are waiting, and counts the dropped lines.
 */
export class AuditFile {
  readonly #open: () => Promise<AuditOutput>;
  readonly #logger: Logger;
  readonly #dropped: Counter;
  #output: AuditOutput | undefined;
  #lines: Uint8Array[] = [];
  #waitingBytes = 0;
  #droppedLines = 0;
  #isOldFile = false;
  #hasFailed = false;
  #writing: Promise<void> | undefined;

  private constructor(open: () => Promise<AuditOutput>, logger: Logger, metrics: Metrics) {
    this.#open = open;
    this.#logger = logger;
    this.#dropped = metrics.counter(
      'parca_audit_lines_dropped_total',
      'Lines of the audit log that were dropped: the disk was slow, or refused them.',
    );
  }

  /** Opens the output, and returns the audit log. Errors: as in `open`. */
  static async open(
    open: () => Promise<AuditOutput>,
    logger: Logger,
    metrics: Metrics,
  ): Promise<AuditFile> {
    const file = new AuditFile(open, logger, metrics);
    file.#output = await open();
    return file;
  }

  /** Adds a line; never waits or throws. */
  write(fields: LogFields): void {
    const line = Buffer.from(`${escapedForLogs(JSON.stringify(fields))}\n`);
    if (this.#waitingBytes + line.length > auditBytesWaitingMax) {
      this.#drop(1);
      return;
    }
    this.#lines.push(line);
    this.#waitingBytes += line.length;
    this.#writing ??= this.#writeAll();
  }

  /** Makes the next write open the file again, because the old file was renamed. */
  reopen(): void {
    this.#isOldFile = true;
  }

  /** Waits until all lines are written. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    // Lines written in the same turn of the event loop form one batch.
    await Promise.resolve();
    while (this.#lines.length > 0) {
      const lines = this.#lines;
      this.#lines = [];
      const dropped = this.#droppedLines;
      if (dropped > 0) lines.push(Buffer.from(`{"action":"dropped","lines":${dropped}}\n`));
      try {
        await this.#append(Buffer.concat(lines));
        this.#droppedLines -= dropped;
        this.#hasFailed = false;
      } catch (error) {
        this.#drop(dropped > 0 ? lines.length - 1 : lines.length);
        this.#isOldFile = true;
        // Only the first failure is logged, because every later write would fail in the same way.
        if (!this.#hasFailed) {
          this.#logger.error('cannot write audit log', { error: errorMessage(error) });
        }
        this.#hasFailed = true;
      }
      this.#waitingBytes = this.#lines.reduce((sum, { length }) => sum + length, 0);
    }
    this.#writing = undefined;
  }

  async #append(bytes: Uint8Array): Promise<void> {
    if (this.#isOldFile || this.#output === undefined) {
      const old = this.#output;
      this.#output = undefined;
      await old?.close();
      this.#output = await this.#open();
      this.#isOldFile = false;
    }
    await this.#output.append(bytes);
  }

  #drop(lines: number): void {
    this.#droppedLines += lines;
    this.#dropped.add(lines);
  }
}
