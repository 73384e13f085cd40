// Checks passwords with bcrypt: one at a time, with a cache, and never on the main thread.
//
// By design, a check takes a tenth of a second of CPU time. Prometheus' exporter toolkit caches
// results for the same reason; here, wrong passwords cannot evict right passwords from the cache.
//
// Callers take turns, and so do the users of each caller. If a client tries many passwords, they
// wait in a queue of their own, and are refused when the queue is full. Other callers wait for at
// most one of these checks.
import { createHmac } from 'node:crypto';
import { AppError } from '../../base/errors.ts';
import { LeastRecent } from '../../base/least-recent.ts';
import { busyRetryMillis } from '../../base/limits.ts';
import {
  passwordChecksOfCallerMax,
  passwordChecksOfUserMax,
  passwordChecksWaitingMax,
  passwordVerdictsMax,
} from '../limits.ts';

/** Compares a password with a bcrypt hash, in a thread. */
export type CheckPassword = (password: string, hash: string) => Promise<boolean>;

/** A password that somebody sent. */
export interface PasswordTry {
  /** Id of the sender, which is used to serve callers in turn. */
  readonly from: string;
  readonly user: string;
  readonly password: string;
  readonly hash: string;
}

interface Waiting {
  readonly name: string;
  readonly password: string;
  readonly hash: string;
  readonly verdict: PromiseWithResolvers<boolean>;
}

/** Waiting checks of one caller, by user. The check of the first user is next. */
type Lines = Map<string, Waiting[]>;

/** Checks passwords. */
export class PasswordChecks {
  readonly #check: CheckPassword;
  readonly #key: Uint8Array;
  readonly #good = new LeastRecent<true>(passwordVerdictsMax, () => 1);
  readonly #bad = new LeastRecent<true>(passwordVerdictsMax, () => 1);
  readonly #underWay = new Map<string, Promise<boolean>>();
  /** Callers with waiting checks; the first caller is next. */
  readonly #callers = new Map<string, Lines>();
  #waitingCount = 0;
  #isChecking = false;

  /** `key` is a secret of this process. */
  constructor(check: CheckPassword, key: Uint8Array) {
    this.#check = check;
    this.#key = key;
  }

  /**
   * Returns true if the password matches the hash. Results are cached for each user separately.
   *
   * Errors: AppError 'resource-exhausted' when too many passwords of this caller, or of all
   * callers, wait to be checked.
   */
  isRight({ from, user, password, hash }: PasswordTry): boolean | Promise<boolean> {
    const name = this.#comparisonKey(user, password, hash);
    if (this.#good.get(name) === true) return true;
    if (this.#bad.get(name) === true) return false;
    const same = this.#underWay.get(name);
    if (same !== undefined) return same;
    const verdict = Promise.withResolvers<boolean>();
    this.#enqueue(from, user, { name, password, hash, verdict });
    this.#underWay.set(name, verdict.promise);
    void this.#work();
    return verdict.promise;
  }

  #enqueue(from: string, user: string, waiting: Waiting): void {
    const lines = this.#callers.get(from) ?? new Map<string, Waiting[]>();
    const line = lines.get(user) ?? [];
    const ofCaller = countWaiting(lines);
    const isFull = line.length >= passwordChecksOfUserMax || ofCaller >= passwordChecksOfCallerMax;
    if (isFull) throw tooMany(ofCaller, 'from you');
    if (this.#waitingCount >= passwordChecksWaitingMax) this.#makeRoom(ofCaller);
    line.push(waiting);
    lines.set(user, line);
    this.#callers.set(from, lines);
    this.#waitingCount += 1;
  }

  /**
   * Makes room for a new password: refuses a password of the caller with the longest queue, or
   * the new password if its own caller has the longest queue.
   */
  #makeRoom(ofCaller: number): void {
    const [longest] = [...this.#callers.values()].sort((a, b) => countWaiting(b) - countWaiting(a));
    if (countWaiting(longest) <= ofCaller + 1) throw tooMany(this.#waitingCount, 'of all callers');
    const [user, line] = [...longest].sort(([, a], [, b]) => b.length - a.length)[0];
    const refused = line.pop();
    if (line.length === 0) longest.delete(user);
    this.#waitingCount -= 1;
    if (refused === undefined) return;
    this.#underWay.delete(refused.name);
    refused.verdict.reject(tooMany(this.#waitingCount, 'of all callers'));
  }

  async #work(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const { name, password, hash, verdict } = next;
      try {
        const isRight = await this.#check(password, hash);
        (isRight ? this.#good : this.#bad).put(name, true);
        verdict.resolve(isRight);
      } catch (error) {
        verdict.reject(error);
      }
      this.#underWay.delete(name);
    }
    this.#isChecking = false;
  }

  /** Takes the next password; its caller and its user move to the end of their queues. */
  #next(): Waiting | undefined {
    for (const [from, lines] of this.#callers) {
      this.#callers.delete(from);
      for (const [user, line] of lines) {
        lines.delete(user);
        const next = line.shift();
        if (line.length > 0) lines.set(user, line);
        if (next === undefined) continue;
        if (lines.size > 0) this.#callers.set(from, lines);
        this.#waitingCount -= 1;
        return next;
      }
    }
    return undefined;
  }

  /** Returns a cache key for a comparison; different arguments never give the same key. */
  #comparisonKey(...parts: readonly string[]): string {
    return createHmac('sha256', this.#key).update(JSON.stringify(parts)).digest('base64');
  }
}

function countWaiting(lines: Lines): number {
  let size = 0;
  for (const line of lines.values()) size += line.length;
  return size;
}

function tooMany(count: number, whose: string): AppError {
  const why = `${count} others ${whose} wait to be checked`;
  return new AppError('resource-exhausted', `cannot check password: ${why}`, {
    retryAfterMillis: busyRetryMillis,
  });
}
