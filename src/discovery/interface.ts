// The seam between discovery, which finds targets, and the scraper.
import type { Label } from '../model/labels.ts';

/** Targets that were found together and share labels. */
export interface TargetGroup {
  /** Names the group within its discoverer; a group replaces the last one of its name. */
  readonly source: string;
  /** Labels of each target, `__address__` among them. */
  readonly targets: readonly (readonly Label[])[];
  /** Labels of all of them; a target's own labels win. */
  readonly labels: readonly Label[];
}

/** One way to find targets, for one job. */
export interface Discoverer {
  /**
   * Finds targets until `signal` is aborted; resolves then, or earlier when nothing can change any
   * more. `onUpdate` gets new and changed groups; a group without targets is gone. Failures of
   * what it asks are retried inside, with backoff, and keep the last groups.
   */
  run(signal: AbortSignal, onUpdate: (groups: readonly TargetGroup[]) => void): Promise<void>;
}
