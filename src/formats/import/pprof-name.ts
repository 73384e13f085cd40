// The name of a pprof profile whose sender does not name it.
import { AppError } from '../../base/errors.ts';
import { locksAskedMax } from '../limits.ts';
import { finishAtOnce, type Steps } from '../../base/pacer.ts';
import { type PprofHead, readPprofHead } from '../pprof/head.ts';
import { leafNameSteps } from '../pprof/leaf-names.ts';
import { guessProfileName } from '../reading/profile-name.ts';

/**
 * Returns the name that this profile would have if it were scraped. In Go, mutex and block profiles
 * have the same types; the waiting functions distinguish them.
 *
 * Errors: DecodeError; AppError 'invalid-argument' if the functions are unknown.
 */
export function nameOfPprof(message: Uint8Array, head: PprofHead = readPprofHead(message)): string {
  return finishAtOnce(pprofNameSteps(message, head));
}

/** Like `nameOfPprof`, in steps. */
export function* pprofNameSteps(message: Uint8Array, head: PprofHead): Steps<string> {
  const { sampleTypes, periodType } = head;
  const isWaiting = ['contentions', 'delay'].every((name) =>
    sampleTypes.some(({ type }) => type === name),
  );
  if (!isWaiting) return guessProfileName(sampleTypes, periodType);
  const leaves = yield* leafNameSteps(message, locksAskedMax);
  const unlocking = leaves.filter((name) => unlockForm.test(name)).length;
  // An empty profile is not stored, so any name will do.
  if (unlocking === leaves.length) return 'mutex';
  if (unlocking === 0 && leaves.some((name) => waitForm.test(name))) return 'block';
  throw new AppError(
    'invalid-argument',
    'cannot name the profile: contentions and delay are of mutexes or of blocking, and its ' +
      'functions do not tell which: name it mutex or block (__name__=, parcatool push --name)',
  );
}

/**
 * Matches functions that release a lock. They are the leaves of a mutex profile, which is recorded
 * at the unlock.
 */
const unlockForm = /(?:[uU]nlock\w*|_LostContendedRuntimeLock)$/;

/** Matches functions of Go's runtime and of `sync` that wait. */
const waitForm =
  /^(?:runtime\.|sync\.|internal\/sync\.|internal\/poll\.|time\.).*(?:[lL]ock\w*|Wait|chanrecv\w*|chansend\w*|selectgo|block|Sleep|[sS]emacquire\w*)$/;
