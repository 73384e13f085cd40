// Verdicts of bcrypt: made one at a time, remembered, and never on the main thread.
//
// A check takes a tenth of a second of CPU on purpose. Prometheus' exporter toolkit remembers
// verdicts for that reason, too; here wrong passwords cannot push right ones out of the memory.
import { createHmac } from 'node:crypto';
import { AppError } from '../../base/errors.ts';
import { LeastRecent } from '../../base/least-recent.ts';
import {
  busyRetryMillis,
  passwordChecksWaitingMax,
  passwordVerdictsMax,
} from '../../base/limits.ts';

/** Compares a password with a hash of bcrypt, in a thread. */
export type CheckPassword = (password: string, hash: string) => Promise<boolean>;

/** Checks passwords. */
export class PasswordChecks {
  readonly #check: CheckPassword;
  readonly #key: Uint8Array;
  readonly #good = new LeastRecent<true>(passwordVerdictsMax, () => 1);
  readonly #bad = new LeastRecent<true>(passwordVerdictsMax, () => 1);
  readonly #underWay = new Map<string, Promise<boolean>>();
  #last: Promise<unknown> = Promise.resolve();

  /** `key` is a secret of this process. */
  constructor(check: CheckPassword, key: Uint8Array) {
    this.#check = check;
    this.#key = key;
  }

  /**
   * Returns true if a password belongs to a hash. What is remembered is kept apart by `user`.
   *
   * Errors: AppError 'resource-exhausted' when too many passwords wait to be checked.
   */
  isRight(user: string, password: string, hash: string): boolean | Promise<boolean> {
    const name = this.#nameOf(user, password, hash);
    if (this.#good.get(name) === true) return true;
    if (this.#bad.get(name) === true) return false;
    const same = this.#underWay.get(name);
    if (same !== undefined) return same;
    if (this.#underWay.size >= passwordChecksWaitingMax) {
      const why = `${passwordChecksWaitingMax} others are being checked`;
      throw new AppError('resource-exhausted', `cannot check password: ${why}`, {
        retryAfterMillis: busyRetryMillis,
      });
    }
    const check = this.#last.then(() => this.#run(name, password, hash));
    this.#last = check.catch(() => undefined);
    this.#underWay.set(name, check);
    return check;
  }

  async #run(name: string, password: string, hash: string): Promise<boolean> {
    try {
      const isRight = await this.#check(password, hash);
      (isRight ? this.#good : this.#bad).put(name, true);
      return isRight;
    } finally {
      this.#underWay.delete(name);
    }
  }

  /** Returns a name for a comparison, in which no part can pass for another. */
  #nameOf(...parts: readonly string[]): string {
    return createHmac('sha256', this.#key).update(JSON.stringify(parts)).digest('base64');
  }
}
