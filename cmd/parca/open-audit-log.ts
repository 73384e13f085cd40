// Opens the audit log given on the command line: a file, or standard output.
import { resolve } from 'node:path';
import type { AuditSink } from '../../src/api/auth/audit.ts';
import { AuditFile, type AuditOutput } from '../../src/telemetry/audit-file.ts';
import type { Machine } from '../machine.ts';

/** Standard output, which is never closed. */
const standardOutput: AuditOutput = {
  append: (bytes) => new Promise((done) => process.stdout.write(bytes, () => done())),
  close: async () => undefined,
};

/**
 * Opens the log at `path`. "-" means standard output; for "", returns undefined. SIGHUP reopens the
 * file, for log rotation.
 *
 * Errors: AppError if the file cannot be opened.
 */
export async function openAuditLog(
  { files, logger, metrics, clock }: Machine,
  path: string,
): Promise<AuditSink | undefined> {
  if (path === '') return undefined;
  const file = await AuditFile.open(
    async () => (path === '-' ? standardOutput : files.open(resolve(path), { create: true })),
    logger,
    metrics,
  );
  process.on('SIGHUP', () => {
    file.reopen();
    const time = new Date(clock.nowMillis()).toISOString();
    const event = { action: 'reload', who: 'SIGHUP', from: '', what: 'the configuration' };
    const { action, who, from, what } = event;
    file.write({ time, action, who, from, what, result: 'asked' });
  });
  return file;
}
