// Messages to one receiver: a group of alerts is sent when it changes, as in Alertmanager.
import type { AlertReceiverConfig } from '../config/config.ts';
import { labelSetKey, labelValue, type LabelSet } from '../model/labels.ts';
import type { SentAlert } from './alert-message.ts';
import type { KnownAlert, SavedDelivery } from './saved-state.ts';

/** Alerts of a message. */
export interface DueGroup {
  readonly key: string;
  readonly labels: LabelSet;
  /** Time of the previous message about the group; 0 if there was none, or if it is forgotten. */
  readonly afterMillis: number;
  readonly alerts: readonly SentAlert[];
}

/** Alerts with equal values of the labels in `group_by`. */
interface Group {
  readonly known: Map<string, KnownAlert>;
  /** Time of the first alert in a new group; undefined after the first message. */
  newSinceMillis: number | undefined;
  /**
   * Keys and start times of alerts that the queue has tried to send. The receiver may have got
   * them, so the end of these alerts must also be sent.
   */
  readonly tried: Set<string>;
}

/** Groups of alerts for one destination of a receiver, and what it has received. */
export class ReceiverQueue {
  readonly #config: AlertReceiverConfig;
  readonly #sendsResolved: boolean;
  readonly #groups = new Map<string, Group>();
  #nextMillis: number | undefined;

  constructor(
    config: AlertReceiverConfig,
    sendsResolved: boolean,
    saved: readonly SavedDelivery[] = [],
  ) {
    this.#config = config;
    this.#sendsResolved = sendsResolved;
    for (const { key, known } of saved) {
      const group = this.#groupOf(key);
      for (const alert of known) group.known.set(alert.key, alert);
    }
  }

  /** Time at which a message may be due without another evaluation; undefined = never. */
  get nextMillis(): number | undefined {
    return this.#nextMillis;
  }

  /** Returns the groups to send at `nowMillis`; forgets alerts that are not in `all`. */
  due(all: readonly SentAlert[], nowMillis: number): DueGroup[] {
    const byGroup = new Map<string, { readonly labels: LabelSet; readonly alerts: SentAlert[] }>();
    for (const alert of all) {
      if (!this.#matches(alert.labels)) continue;
      const labels = alert.labels.filter(({ name }) => this.#config.groupBy.includes(name));
      const key = labelSetKey(labels);
      const found = byGroup.get(key);
      if (found === undefined) byGroup.set(key, { labels, alerts: [alert] });
      else found.alerts.push(alert);
    }
    this.#forgetOthers(byGroup);
    this.#nextMillis = undefined;
    return [...byGroup].flatMap(([key, { labels, alerts }]) => {
      const group = this.#groupOf(key);
      const sent = this.#dueAlerts(group, alerts, nowMillis);
      const afterMillis = lastSentMillis(group);
      return sent.length === 0 ? [] : [{ key, labels, afterMillis, alerts: sent }];
    });
  }

  /** Marks a message as accepted. */
  sent({ key, alerts }: DueGroup, nowMillis: number): void {
    const group = this.#groupOf(key);
    group.newSinceMillis = undefined;
    for (const { key: alertKey, activeMillis, isResolved } of alerts) {
      const known = { key: alertKey, activeMillis, isResolved, sentMillis: nowMillis };
      group.known.set(alertKey, known);
    }
  }

  /** Returns true if the receiver does not need a message about the end of an alert. */
  isDelivered(alert: SentAlert): boolean {
    if (!this.#matches(alert.labels) || !this.#sendsResolved) return true;
    const labels = alert.labels.filter(({ name }) => this.#config.groupBy.includes(name));
    const group = this.#groups.get(labelSetKey(labels));
    if (group === undefined) return true;
    const known = findKnown(group, alert);
    return known === undefined ? !group.tried.has(triedKey(alert)) : known.isResolved;
  }

  saved(): SavedDelivery[] {
    return [...this.#groups]
      .filter(([, { known }]) => known.size > 0)
      .map(([key, { known }]) => ({ key, known: [...known.values()] }));
  }

  #matches(labels: LabelSet): boolean {
    return [...this.#config.match].every(([name, value]) => labelValue(labels, name) === value);
  }

  #groupOf(key: string): Group {
    const known = this.#groups.get(key);
    if (known !== undefined) return known;
    const group: Group = { known: new Map(), newSinceMillis: undefined, tried: new Set() };
    this.#groups.set(key, group);
    return group;
  }

  #forgetOthers(byGroup: ReadonlyMap<string, { readonly alerts: readonly SentAlert[] }>): void {
    for (const [key, group] of this.#groups) {
      const alerts = byGroup.get(key)?.alerts ?? [];
      const keys = new Set(alerts.map((alert) => alert.key));
      for (const known of group.known.keys()) if (!keys.has(known)) group.known.delete(known);
      const tried = new Set(alerts.map(triedKey));
      for (const one of group.tried) if (!tried.has(one)) group.tried.delete(one);
      if (alerts.length === 0) this.#groups.delete(key);
    }
  }

  /** Returns the alerts in a group's message; empty if the message is not due. */
  #dueAlerts(group: Group, alerts: readonly SentAlert[], nowMillis: number): SentAlert[] {
    const changes = alerts.filter((alert) => this.#isChange(group, alert));
    const { groupWaitMillis, groupIntervalMillis, repeatMillis } = this.#config;
    const isNew = ![...group.known.values()].some(({ isResolved }) => !isResolved);
    const isAnyFiring = alerts.some(({ isResolved }) => !isResolved);
    if (changes.length === 0 && (isNew || !isAnyFiring)) {
      group.newSinceMillis = undefined;
      return [];
    }
    if (isNew) group.newSinceMillis ??= nowMillis;
    const dueMillis = isNew
      ? (group.newSinceMillis ?? nowMillis) + groupWaitMillis
      : lastSentMillis(group) + (changes.length > 0 ? groupIntervalMillis : repeatMillis);
    if (nowMillis < dueMillis) {
      this.#nextMillis = Math.min(this.#nextMillis ?? Infinity, dueMillis);
      return [];
    }
    for (const alert of changes) group.tried.add(triedKey(alert));
    const changed = new Set(changes);
    return alerts.filter((alert) => !alert.isResolved || changed.has(alert));
  }

  #isChange(group: Group, alert: SentAlert): boolean {
    const known = findKnown(group, alert);
    if (!alert.isResolved) return known === undefined;
    if (!this.#sendsResolved) return false;
    // An alert that ended before the first message about it is not sent.
    return known === undefined ? group.tried.has(triedKey(alert)) : !known.isResolved;
  }
}

function findKnown(group: Group, { key, activeMillis }: SentAlert): KnownAlert | undefined {
  const known = group.known.get(key);
  return known?.activeMillis === activeMillis ? known : undefined;
}

function lastSentMillis({ known }: Group): number {
  return [...known.values()].reduce((last, { sentMillis }) => Math.max(last, sentMillis), 0);
}

function triedKey({ key, activeMillis }: SentAlert): string {
  return `${activeMillis} ${key}`;
}
