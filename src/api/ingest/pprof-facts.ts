// Facts about a pushed pprof profile, read in slices, because a small compressed profile may have
// millions of fields.
import type { Clock } from '../../base/clock.ts';
import { finishPausing, Pacer } from '../../base/pacer.ts';
import { pprofNameSteps } from '../../formats/import/pprof-name.ts';
import { type PprofHead, pprofHeadSteps } from '../../formats/pprof/head.ts';

/** Facts of a profile. */
export interface PprofFacts {
  readonly head: PprofHead;
  readonly name: string;
}

/**
 * Reads an uncompressed profile; `name` is its name if the sender set one.
 *
 * Errors: as in readPprofHead and nameOfPprof.
 */
export async function readPprofFacts(
  content: Uint8Array,
  clock: Clock,
  name: string | undefined,
): Promise<PprofFacts> {
  const pacer = new Pacer(clock);
  const head = await finishPausing(pprofHeadSteps(content), pacer);
  return { head, name: name ?? (await finishPausing(pprofNameSteps(content, head), pacer)) };
}
