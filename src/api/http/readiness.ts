// Whether the server can be used, for what, and why not: whatever may be the reason adds a check.
import type { Metrics } from '../../base/metrics.ts';

/** What somebody wants of the server: answers, or to have profiles stored. */
export type Use = 'read' | 'write';

/** One reason for not being ready. */
export interface ReadinessCheck {
  /** What is not possible while it holds. */
  readonly uses: readonly Use[];
  /** Why not, such as "its disk is nearly full"; undefined while nothing is wrong. Must be quick. */
  why(): string | undefined;
}

/** The checks of a server. It is ready for a use when none of them speaks against it. */
export class Readiness {
  readonly #checks: ReadinessCheck[] = [];

  constructor(metrics: Metrics) {
    for (const use of ['read', 'write'] as const) {
      metrics.observedGauge(
        `parca_ready_for_${use}s`,
        `1 while the server is ready for ${use}s, as /-/ready says.`,
        () => (this.whyNot(use) === undefined ? 1 : 0),
      );
    }
  }

  /** Earlier checks explain later ones: they are asked first. */
  add(check: ReadinessCheck): void {
    this.#checks.push(check);
  }

  /** The first reason; undefined when the server is ready. */
  whyNot(use: Use): string | undefined {
    for (const check of this.#checks) {
      const why = check.uses.includes(use) ? check.why() : undefined;
      if (why !== undefined) return why;
    }
    return undefined;
  }
}
