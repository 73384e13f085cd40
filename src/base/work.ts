// Records the calls and jobs that are running on the main thread, so that the log of a long turn
// can name them.

import { noCaller, runAs } from './current-caller.ts';

/** A call or a background job, from beginning to end. */
export interface Work {
  /** Returns the route and the caller, or the name of a job: "GET /api/v1/labels by 10.0.0.1". */
  describe: () => string;
}

/** Work of this thread that has not ended. */
const underWay = new Set<Work>();
/** Work that ended in the current turn of the event loop. */
const justEnded: Work[] = [];

/**
 * Records that work begins. This is cheap: `describe` is called only for the log of a long turn.
 */
export function beginWork(describe: () => string): Work {
  const work = { describe };
  underWay.add(work);
  return work;
}

/** Records that work has ended; a second call has no effect. */
export function endWork(work: Work): void {
  if (underWay.delete(work)) justEnded.push(work);
}

/** Records `run` as work of the server itself while it runs, regardless of who caused it. */
export async function duringWork<T>(name: string, run: () => Promise<T>): Promise<T> {
  const work = beginWork(() => name);
  try {
    return await runAs(noCaller, run);
  } finally {
    endWork(work);
  }
}

/**
 * Forgets finished work, because the next turn begins. Drops descriptions one by one: each keeps
 * its call in memory, and old tables of a Set still refer to earlier work. With this and
 * `ignoreError`, 6.4 KB of each push reach V8's old generation instead of 7.9 KB.
 */
export function endTurn(): void {
  if (justEnded.length === 0) return;
  for (const work of justEnded) work.describe = describeNothing;
  justEnded.length = 0;
}

function describeNothing(): string {
  return 'nothing known';
}

/**
 * Returns a description of the work of the current turn: the work that ended in it, then the work
 * that is still running, each with the latest first. Work that is still running may be waiting for
 * something else.
 */
export function workOfTurn(countMax: number): string {
  const all = [...justEnded.toReversed(), ...[...underWay].toReversed()];
  const named = all.slice(0, countMax).map(({ describe }) => describe());
  if (all.length > countMax) named.push(`${all.length - countMax} more`);
  return named.length === 0 ? describeNothing() : named.join('; ');
}
