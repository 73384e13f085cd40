// Fails calls of the workload of call-failures.ts, one at a time: prints counts as JSON.
//
// Use: node test/crash/fail-calls.ts <changes> <k> <from> <j> [<life> <call> <errno> <times>]
// <changes> is the least number of changing calls of the workload. Every k-th changing call fails,
// starting at <from>, and every (j * k)-th reading call.
import { changesFiles, type Errno } from '../../src/base/fake/file-faults.ts';
import { failCall, recordLives, type CallFailure, type LifeStart } from './call-failures.ts';

const [changes, every, from, readsEvery] = process.argv.slice(2, 6).map(Number);
const [onlyLife, onlyCall, onlyErrno, onlyTimes] = process.argv.slice(6);
const counts = { lives: 0, changes: 0, reads: 0, failures: 0, violations: 0 };

const starts = await recordLives(changes);
counts.lives = starts.length;
for (const start of starts) {
  for (const [call, { call: kind }] of start.calls.entries()) {
    const isChange = changesFiles(kind);
    const number = isChange ? counts.changes : counts.reads;
    counts[isChange ? 'changes' : 'reads'] += 1;
    const stride = isChange ? every : every * readsEvery;
    if (number % stride !== from % stride) continue;
    for (const errno of ['ENOSPC', 'EIO'] as const) {
      // Reads do not need disk space.
      if (errno === 'ENOSPC' && !isChange) continue;
      for (const times of [1, Infinity]) await attempt(start, { number: call, errno, times });
    }
  }
}
process.stdout.write(`${JSON.stringify(counts)}\n`);
process.exitCode = counts.violations === 0 ? 0 : 1;

async function attempt(start: LifeStart, failure: CallFailure): Promise<void> {
  if (!isAsked(start, failure)) return;
  counts.failures += 1;
  try {
    await failCall(start, failure);
  } catch (error) {
    counts.violations += 1;
    if (counts.violations > 20) return;
    const { number: call, errno, times } = failure;
    const { call: kind, path } = start.calls[call];
    const text = error instanceof Error ? `${error.stack}\n${error.cause ?? ''}` : String(error);
    process.stderr.write(`${kind} ${path}: ${text}\n`);
    const words = [changes, 1, 0, 1, start.life, call, errno, times];
    process.stderr.write(`repeat it: node test/crash/fail-calls.ts ${words.join(' ')}\n`);
  }
}

function isAsked({ life }: LifeStart, { number: call, errno, times }: CallFailure): boolean {
  if (onlyLife === undefined) return true;
  const asked: [string, string, Errno, string] = [
    onlyLife,
    onlyCall,
    onlyErrno as Errno,
    onlyTimes,
  ];
  return asked.join(' ') === [life, call, errno, times].join(' ');
}
