// Messages to one Alertmanager. Firing alerts are repeated; resolved alerts are sent until the
// Alertmanager has received them.
import { resendMillis, resolvedMillis } from './limits.ts';
import type { SentAlert } from './alert-message.ts';
import type { KnownAlert } from './saved-state.ts';

/** The alerts that one Alertmanager has received, and those that are due. */
export class AlertmanagerQueue {
  readonly #known: Map<string, KnownAlert>;

  constructor(known: readonly KnownAlert[]) {
    this.#known = new Map(known.map((alert) => [alert.key, alert]));
  }

  /** Returns the alerts to send at `nowMillis`. */
  due(alerts: readonly SentAlert[], nowMillis: number): SentAlert[] {
    return alerts.filter((alert) => {
      const known = this.#knownOf(alert);
      if (known === undefined) return true;
      if (known.isResolved !== alert.isResolved) return true;
      // A resolved alert is repeated for a while, because an Alertmanager may lose its state.
      if (alert.isResolved && nowMillis - alert.endMillis > resolvedMillis) return false;
      return nowMillis - known.sentMillis >= resendMillis;
    });
  }

  /** Returns true if the Alertmanager has received the end of an alert. */
  isDelivered(key: string, activeMillis: number): boolean {
    const known = this.#known.get(key);
    return known?.activeMillis === activeMillis && known.isResolved;
  }

  /** Marks alerts as accepted by the Alertmanager. */
  sent(alerts: readonly SentAlert[], nowMillis: number): void {
    for (const { key, activeMillis, isResolved } of alerts) {
      this.#known.set(key, { key, activeMillis, isResolved, sentMillis: nowMillis });
    }
  }

  /** Forgets alerts that no longer exist. */
  keepOnly(keys: ReadonlySet<string>): void {
    for (const key of this.#known.keys()) if (!keys.has(key)) this.#known.delete(key);
  }

  known(): KnownAlert[] {
    return [...this.#known.values()];
  }

  #knownOf({ key, activeMillis }: SentAlert): KnownAlert | undefined {
    const known = this.#known.get(key);
    return known?.activeMillis === activeMillis ? known : undefined;
  }
}
