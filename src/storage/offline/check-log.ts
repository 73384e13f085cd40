// Checks the write-ahead log as a start would read it, without changing it.
import { errorMessage, errorCode } from '../../base/errors.ts';
import type { Files } from '../../base/files.ts';
import { rowSegmentBytes } from '../../base/limits.ts';
import type { LogFields, Logger } from '../../base/logger.ts';
import { noMetrics } from '../../base/metrics.ts';
import { Dictionary } from '../../model/dictionary.ts';
import { Head } from '../head/head.ts';
import { replayWal } from '../wal/replay.ts';
import { createStorageMetrics } from '../storage-metrics.ts';
import type { Seeds } from '../wal/wal-format.ts';
import type { Finding } from './finding.ts';
import { readOnlyFiles } from './read-only-files.ts';

/** What the log holds; epochs that are in blocks already included. */
export interface LogContent {
  readonly profileCount: number;
  readonly rowCount: number;
}

/**
 * Replays the log into memory, and tells what was wrong with it. Unfinished writes at its end are
 * usual after a crash, and no damage.
 */
export async function checkLog(
  files: Files,
  storagePath: string,
  seeds: Seeds,
  report: (finding: Finding) => void,
): Promise<LogContent> {
  const directory = `${storagePath}/wal`;
  try {
    const { epochs, end } = await replayWal(
      { files: readOnlyFiles(files), directory, seeds },
      {
        newHead: () => new Head(new Dictionary(seeds), rowSegmentBytes),
        finished: new Set(),
        nextEpoch: 1,
        logger: findingsLogger(report),
        metrics: createStorageMetrics(noMetrics),
      },
    );
    await end.file?.close();
    const sum = (of: (head: Head) => number): number =>
      epochs.reduce((total, { head }) => total + of(head), 0);
    return {
      profileCount: sum((head) => head.profileCount),
      rowCount: sum((head) => head.rowCount),
    };
  } catch (error) {
    if (errorCode(error) === 'internal') throw error;
    const message = errorMessage(error);
    const [, segment, at] = /(\d{8,15}\.wal)(?: at (\d+))?/.exec(message) ?? [];
    const path = segment === undefined ? 'wal' : `wal/${segment}`;
    const offset = at === undefined ? undefined : Number(at);
    report({ path, offset, severity: 'unreadable', message });
    return { profileCount: 0, rowCount: 0 };
  }
}

/** The replay tells of damage in its log lines, with the segment and the place. */
function findingsLogger(report: (finding: Finding) => void): Logger {
  const line =
    (severity: Finding['severity']) =>
    (text: string, fields: LogFields = {}): void => {
      const { segment, from, ...rest } = fields;
      const path = typeof segment === 'string' ? `wal/${segment}` : 'wal';
      const offset = typeof from === 'number' ? from : undefined;
      const more = Object.entries(rest).map(([name, value]) => `${name} ${value}`);
      report({ path, offset, severity, message: [text, ...more].join(', ') });
    };
  const logger: Logger = {
    error: line('damaged'),
    warn: line('note'),
    info: () => undefined,
    debug: () => undefined,
    with: () => logger,
  };
  return logger;
}
