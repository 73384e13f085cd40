// Sends alerts to Alertmanagers and receivers, and remembers what each of them has received.
import { isDeepStrictEqual } from 'node:util';
import { errorMessage } from '../base/errors.ts';
import { md5 } from '../base/node/md5.ts';
import {
  type AlertingConfig,
  type AlertmanagerConfig,
  type AlertReceiverConfig,
  type AlertReceiver,
  noAlerting,
} from '../config/config.ts';
import type { DiscoveryContext, TargetGroup } from '../discovery/interface.ts';
import { createDiscoveryManager, type DiscoveryManager } from '../discovery/manager.ts';
import { createDiscoverer } from '../discovery/registry.ts';
import { createLabelSet, type LabelSet } from '../model/labels.ts';
import { createRelabeling, type Relabeling } from '../model/relabel.ts';
import type { DrawPicture } from '../query/interface.ts';
import { alertmanagerBody, type SentAlert } from './alert-message.ts';
import { pictureOrNone } from './alert-picture.ts';
import { findAddresses } from './alertmanager-addresses.ts';
import { AlertmanagerQueue } from './alertmanager-queue.ts';
import { Courier } from './courier.ts';
import { createSender } from './create-sender.ts';
import { alertsPerMessageMax, resendMillis } from './limits.ts';
import { createNotifierMetrics, type NotifierMetrics } from './metrics.ts';
import { createPostClient, postJson } from './post-json.ts';
import { ReceiverQueue } from './receiver-queue.ts';
import type { SavedDelivery } from './saved-state.ts';

/** Dependencies of a notifier. */
export interface NotifierOptions extends DiscoveryContext {
  /** URL of the page, for links in messages. */
  readonly externalUrl: string;
  /** Returns the firing and the resolved alerts; undefined while they are unknown. */
  readonly alerts: () => readonly SentAlert[] | undefined;
  /** Saves which messages were delivered. The next message waits until this is done. */
  readonly save: () => Promise<void>;
  /** Draws pictures of messages; undefined = messages have none. */
  readonly drawPicture?: DrawPicture;
}

/** Relabeling without rules. */
const keepAll: Relabeling = () => undefined;

/** An address that gets messages. */
interface Recipient {
  readonly courier: Courier;
  readonly close: () => Promise<void>;
  isDelivered(alert: SentAlert): boolean;
  saved(): readonly SavedDelivery[];
}

/** Alertmanagers of one entry of the config. */
interface Section {
  readonly config: AlertmanagerConfig;
  /** Recipients by address. */
  readonly recipients: Map<string, Recipient>;
  dropped: readonly string[];
}

/** Sends alerts until it is stopped. */
export class Notifier {
  readonly #options: NotifierOptions;
  readonly #metrics: NotifierMetrics;
  readonly #discovery: DiscoveryManager;
  #config: AlertingConfig = noAlerting;
  #externalLabels: LabelSet = [];
  /** Relabeling of all alerts. */
  #relabelAll: Relabeling = keepAll;
  #sections: Section[] = [];
  #receivers = new Map<string, Recipient>();
  /** Deliveries that the last process saved, for recipients that are found later. */
  readonly #earlier: Map<string, SavedDelivery[]>;
  #isStopped = false;

  constructor(options: NotifierOptions, saved: readonly SavedDelivery[]) {
    this.#options = options;
    this.#metrics = createNotifierMetrics(options.metrics);
    this.#earlier = groupByRecipient(saved);
    this.#discovery = createDiscoveryManager({
      create: (config) => createDiscoverer(config, options),
      onUpdate: (section, groups) => void this.#sync(Number(section), groups),
      logger: options.logger,
      metrics: options.metrics,
    });
  }

  /** Applies a config; recipients that stay in the config keep their state. */
  async apply(config: AlertingConfig, externalLabels: LabelSet): Promise<void> {
    this.#externalLabels = externalLabels;
    if (isDeepStrictEqual(config, this.#config)) return;
    const gone = [...this.#recipients()];
    this.#keepSaved();
    this.#config = config;
    this.#relabelAll = createRelabeling(config.alertRelabelRules, md5);
    this.#receivers = new Map();
    this.#sections = config.alertmanagers.map((section) => ({
      config: section,
      recipients: new Map(),
      dropped: [],
    }));
    await Promise.all(gone.map(stopRecipient));
    for (const receiver of config.receivers) await this.#addReceiver(receiver);
    await this.#discovery.apply(
      config.alertmanagers.map(({ discovery }, i) => ({ name: String(i), configs: discovery })),
    );
  }

  /** Notifies all recipients that alerts may have changed. */
  wake(): void {
    for (const { courier } of this.#recipients()) courier.wake();
  }

  /** Returns true if all receivers have received the end of an alert. */
  isDelivered(alert: SentAlert): boolean {
    const relabelled = this.#relabel(alert, keepAll);
    if (relabelled === undefined) return true;
    return [...this.#recipients()].every((recipient) => recipient.isDelivered(relabelled));
  }

  addresses(): { readonly active: readonly string[]; readonly dropped: readonly string[] } {
    return {
      active: this.#sections.flatMap(({ recipients }) => [...recipients.keys()]),
      dropped: this.#sections.flatMap(({ dropped }) => dropped),
    };
  }

  /**
   * Returns the deliveries to each recipient, including recipients that have not been found again.
   */
  saved(): SavedDelivery[] {
    const all = new Map<string, readonly SavedDelivery[]>(this.#earlier);
    for (const [name, recipient] of this.#named()) all.set(name, recipient.saved());
    return [...all].flatMap(([name, saved]) =>
      saved.map(({ key, known }) => ({ key: `${name}\n${key}`, known })),
    );
  }

  /** Aborts all messages; idempotent. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#discovery.stop();
    await Promise.all([...this.#recipients()].map(stopRecipient));
  }

  *#recipients(): Generator<Recipient> {
    for (const [, recipient] of this.#named()) yield recipient;
  }

  *#named(): Generator<[string, Recipient]> {
    for (const { recipients } of this.#sections) yield* recipients;
    yield* this.#receivers;
  }

  /** Keeps the deliveries, in case the next config contains these recipients again. */
  #keepSaved(): void {
    for (const [name, recipient] of this.#named()) this.#earlier.set(name, [...recipient.saved()]);
  }

  #takeSaved(name: string): SavedDelivery[] {
    const saved = this.#earlier.get(name) ?? [];
    this.#earlier.delete(name);
    return saved;
  }

  async #sync(index: number, groups: readonly TargetGroup[]): Promise<void> {
    const section = this.#sections.at(index);
    if (section === undefined || this.#isStopped) return;
    const { addresses, dropped } = findAddresses(section.config, groups);
    section.dropped = dropped;
    for (const [address, recipient] of section.recipients) {
      if (addresses.has(address)) continue;
      section.recipients.delete(address);
      await stopRecipient(recipient);
    }
    for (const address of addresses) {
      if (section.recipients.has(address)) continue;
      try {
        const recipient = await this.#createAlertmanager(section.config, address);
        const isCurrent = this.#sections.at(index) === section && !this.#isStopped;
        if (isCurrent && !section.recipients.has(address)) {
          section.recipients.set(address, recipient);
        } else await stopRecipient(recipient);
      } catch (error) {
        const fields = { address, error: errorMessage(error) };
        this.#options.logger.error('cannot send alerts', fields);
      }
    }
  }

  async #createAlertmanager(config: AlertmanagerConfig, address: string): Promise<Recipient> {
    const { clock } = this.#options;
    const client = await createPostClient(config.http, this.#options);
    const relabel = createRelabeling(config.alertRelabelRules, md5);
    const [saved] = this.#takeSaved(address);
    const queue = new AlertmanagerQueue(saved?.known ?? []);
    const deliver = async (signal: AbortSignal): Promise<number | undefined> => {
      const alerts = this.#sentAlerts(relabel);
      if (alerts === undefined) return undefined;
      queue.keepOnly(new Set(alerts.map(({ key }) => key)));
      const due = queue.due(alerts, clock.nowMillis());
      for (let i = 0; i < due.length; i += alertsPerMessageMax) {
        const batch = due.slice(i, i + alertsPerMessageMax);
        const ended = AbortSignal.any([signal, AbortSignal.timeout(config.timeoutMillis)]);
        const body = alertmanagerBody(batch);
        const refusal = await postJson(client, address, body, { signal: ended, clock });
        this.#count(refusal, batch.length, address);
        queue.sent(batch, clock.nowMillis());
        await this.#options.save();
      }
      return alerts.length > 0 ? resendMillis : undefined;
    };
    return {
      courier: this.#createCourier(address, deliver),
      close: () => client.close(),
      isDelivered: ({ key, activeMillis }) => queue.isDelivered(key, activeMillis),
      saved: () => [{ key: '', known: queue.known() }],
    };
  }

  async #addReceiver(config: AlertReceiverConfig): Promise<void> {
    for (const [i, way] of config.ways.entries()) {
      const name = `${config.name}/${way.kind}/${i}`;
      this.#receivers.set(name, await this.#createReceiver(config, way, name));
    }
  }

  async #createReceiver(
    config: AlertReceiverConfig,
    way: AlertReceiver,
    name: string,
  ): Promise<Recipient> {
    const { clock, externalUrl } = this.#options;
    const sender = await createSender(way, this.#options);
    const queue = new ReceiverQueue(config, way.sendsResolved, this.#takeSaved(name));
    const deliver = async (signal: AbortSignal): Promise<number | undefined> => {
      const all = this.#sentAlerts(keepAll);
      if (all === undefined) return undefined;
      for (const group of queue.due(all, clock.nowMillis())) {
        const { labels, afterMillis, alerts } = group;
        const message = {
          receiver: config.name,
          groupLabels: labels,
          externalUrl,
          afterMillis,
          alerts,
          picture: sender.takesPicture ? await this.#draw(alerts, name, signal) : undefined,
        };
        this.#count(await sender.send(message, signal), alerts.length, name);
        queue.sent(group, clock.nowMillis());
        await this.#options.save();
      }
      const { nextMillis } = queue;
      return nextMillis === undefined ? undefined : Math.max(0, nextMillis - clock.nowMillis());
    };
    return {
      courier: this.#createCourier(name, deliver),
      close: () => sender.close(),
      isDelivered: (alert) => queue.isDelivered(alert),
      saved: () => queue.saved(),
    };
  }

  /** Draws the picture of a message. If there is none, the message is sent without it. */
  #draw(
    alerts: readonly SentAlert[],
    name: string,
    signal: AbortSignal,
  ): Promise<Uint8Array | undefined> {
    const { drawPicture, clock, logger } = this.#options;
    const onFailure = (error: unknown): void => {
      this.#metrics.picturesFailed.add(1, { alertmanager: name });
      logger.warn('an alert has no picture', { to: name, error: errorMessage(error) });
    };
    return pictureOrNone(alerts, { drawPicture, clock, signal, onFailure });
  }

  #createCourier(
    name: string,
    deliver: (signal: AbortSignal) => Promise<number | undefined>,
  ): Courier {
    const { clock, logger } = this.#options;
    return new Courier({
      clock,
      deliver,
      onFailure: (error) => {
        this.#metrics.errors.add(1, { alertmanager: name });
        logger.warn('cannot send alerts', { to: name, error: errorMessage(error) });
      },
    });
  }

  /**
   * Returns the alerts with external labels, relabeled first by the rules for all alerts and then
   * by `relabel`.
   */
  #sentAlerts(relabel: Relabeling): SentAlert[] | undefined {
    const all = this.#options.alerts()?.map((alert) => this.#relabel(alert, relabel));
    return all?.filter((alert) => alert !== undefined);
  }

  #relabel(alert: SentAlert, relabel: Relabeling): SentAlert | undefined {
    const own = new Set(alert.labels.map(({ name }) => name));
    const added = this.#externalLabels.filter(({ name }) => !own.has(name));
    const labels = new Map([...added, ...alert.labels].map(({ name, value }) => [name, value]));
    if ((this.#relabelAll(labels) ?? relabel(labels)) !== undefined) return undefined;
    const kept = createLabelSet([...labels].map(([name, value]) => ({ name, value })));
    return { ...alert, labels: kept };
  }

  /** Counts the alerts of a message that was accepted or permanently refused. */
  #count(refusal: string | undefined, alerts: number, name: string): void {
    const counter = refusal === undefined ? this.#metrics.sent : this.#metrics.refused;
    counter.add(alerts, { alertmanager: name });
    if (refusal === undefined) return;
    this.#options.logger.error('alerts are refused', { to: name, alerts, error: refusal });
  }
}

async function stopRecipient({ courier, close }: Recipient): Promise<void> {
  await courier.stop();
  await close();
}

function groupByRecipient(saved: readonly SavedDelivery[]): Map<string, SavedDelivery[]> {
  const groups = new Map<string, SavedDelivery[]>();
  for (const { key, known } of saved) {
    const end = key.indexOf('\n');
    const name = key.slice(0, end);
    const group = groups.get(name) ?? [];
    groups.set(name, [...group, { key: key.slice(end + 1), known }]);
  }
  return groups;
}
