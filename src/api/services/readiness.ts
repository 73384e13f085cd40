// Readiness of the server for reads and for writes, with the reason if it is not ready.
import type { Metrics } from '../../base/metrics.ts';

/** Reads are queries; writes are profiles to store. */
export type Use = 'read' | 'write';

/** A possible reason for not being ready. */
export interface ReadinessCheck {
  /** Uses that this reason prevents. */
  readonly uses: readonly Use[];
  /**
   * Returns the reason, such as "its disk is nearly full"; undefined if all is well. It must be
   * quick.
   */
  why(): string | undefined;
}

/** All checks of a server. The server is ready for a use unless a check returns a reason. */
export class Readiness {
  readonly #checks: ReadinessCheck[] = [];
  #change = Promise.withResolvers<void>();

  constructor(metrics: Metrics) {
    for (const use of ['read', 'write'] as const) {
      metrics.observedGauge(
        `parca_ready_for_${use}s`,
        `1 while the server is ready for ${use}s, as /-/ready says.`,
        () => (this.whyNot(use) === undefined ? 1 : 0),
      );
    }
  }

  /**
   * Adds a check, which runs after the checks that were added earlier. If several fail, only the
   * first reason is returned, because it may have caused the others.
   */
  add(check: ReadinessCheck): void {
    this.#checks.push(check);
  }

  /** Returns the first reason; undefined when the server is ready. */
  whyNot(use: Use): string | undefined {
    for (const check of this.#checks) {
      const why = check.uses.includes(use) ? check.why() : undefined;
      if (why !== undefined) return why;
    }
    return undefined;
  }

  /** Returns the answer of `/-/ready` for a use: status and body. */
  answer(use: Use): { readonly code: number; readonly text: string } {
    const whyNot = this.whyNot(use);
    if (whyNot !== undefined) {
      const lack = use === 'read' ? 'is not ready' : 'takes no writes';
      return { code: 503, text: `The server ${lack}: ${whyNot}.` };
    }
    const whyNoWrites = this.whyNot('write');
    const text = 'The server is ready';
    if (whyNoWrites === undefined) return { code: 200, text: `${text}.` };
    return { code: 200, text: `${text} for reads. It takes no writes: ${whyNoWrites}.` };
  }

  /**
   * Resolves all promises that `changed` has returned, because the server has started or is
   * stopping.
   */
  announce(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }

  /** Resolves at the next call to `announce`. */
  changed(): Promise<void> {
    return this.#change.promise;
  }
}
