// Paths of binaries by build id, as they appear in profiles.
import { binaryPathsMax } from './limits.ts';

/** Keeps the last path of each build id. If there are too many build ids, the oldest is removed. */
export class BinaryPaths {
  readonly #paths = new Map<string, string>();
  readonly #max: number;

  constructor(max: number = binaryPathsMax) {
    this.#max = max;
  }

  note(buildId: string, path: string): void {
    if (buildId === '' || path === '' || this.#paths.get(buildId) === path) return;
    this.#paths.delete(buildId);
    this.#paths.set(buildId, path);
    if (this.#paths.size <= this.#max) return;
    for (const oldest of this.#paths.keys()) {
      this.#paths.delete(oldest);
      return;
    }
  }

  /**
   * Returns the path of a build id; "" if no profile has contained the build id since the start.
   */
  findPath(buildId: string): string {
    return this.#paths.get(buildId) ?? '';
  }
}
