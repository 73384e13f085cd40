// Formats alerts as JSON for Alertmanager's API and its webhooks.
import { formatLabels, type LabelSet, labelsToObject } from '../model/labels.ts';
import type { DiffSelector } from '../query/interface.ts';

/** An alert in the form in which it is sent. */
export interface SentAlert {
  /** Key of the alert's labels, without external labels and before relabeling. */
  readonly key: string;
  readonly labels: LabelSet;
  readonly annotations: LabelSet;
  readonly activeMillis: number;
  readonly isResolved: boolean;
  /**
   * Time at which the alert was resolved, or after which it counts as resolved if it is not sent
   * again.
   */
  readonly endMillis: number;
  /** URL of the page with the query. */
  readonly link: string;
  /** Returns the comparison for a picture of the alert; undefined if there is none. */
  readonly compared?: () => DiffSelector | undefined;
}

/** Returns the body for `POST /api/v2/alerts`. */
export function alertmanagerBody(alerts: readonly SentAlert[]): string {
  return JSON.stringify(
    alerts.map((alert) => ({
      labels: labelsToObject(alert.labels),
      annotations: labelsToObject(alert.annotations),
      startsAt: new Date(alert.activeMillis).toISOString(),
      endsAt: new Date(alert.endMillis).toISOString(),
      generatorURL: alert.link,
    })),
  );
}

const fnvOffset = 0xcbf29ce484222325n;
const fnvPrime = 0x100000001b3n;

/**
 * Returns the fingerprint (FNV-1a) of labels as 16 hexadecimal digits. Source: prometheus/common.
 */
export function fingerprint(labels: LabelSet): string {
  let hash = fnvOffset;
  const add = (bytes: Uint8Array): void => {
    for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * fnvPrime);
  };
  const separator = Uint8Array.of(255);
  for (const { name, value } of labels) {
    add(Buffer.from(name));
    add(separator);
    add(Buffer.from(value));
    add(separator);
  }
  return hash.toString(16).padStart(16, '0');
}

/** A message about a group of alerts. */
export interface GroupMessage {
  readonly receiver: string;
  readonly groupLabels: LabelSet;
  readonly externalUrl: string;
  /** Time of the previous message about the group; 0 if there was none, or if it is forgotten. */
  readonly afterMillis: number;
  readonly alerts: readonly SentAlert[];
  /** PNG of the comparison of the first firing alert that has one; undefined if none has. */
  readonly picture?: Uint8Array | undefined;
}

/** Returns the labels with the same value in all sets. */
function commonLabels(sets: readonly LabelSet[]): LabelSet {
  const [first = [], ...others] = sets;
  return first.filter(({ name, value }) =>
    others.every((set) => set.some((label) => label.name === name && label.value === value)),
  );
}

/** Returns the body of a webhook in version 4 of Alertmanager's format. */
export function webhookBody(
  { receiver, groupLabels, externalUrl, alerts }: GroupMessage,
  pictureOf: (alert: SentAlert) => string | undefined = () => undefined,
): string {
  return JSON.stringify({
    version: '4',
    groupKey: `{}:${formatLabels(groupLabels)}`,
    truncatedAlerts: 0,
    status: alerts.every(({ isResolved }) => isResolved) ? 'resolved' : 'firing',
    receiver,
    groupLabels: labelsToObject(groupLabels),
    commonLabels: labelsToObject(commonLabels(alerts.map(({ labels }) => labels))),
    commonAnnotations: labelsToObject(commonLabels(alerts.map(({ annotations }) => annotations))),
    externalURL: externalUrl,
    alerts: alerts.map((alert) => ({
      status: alert.isResolved ? 'resolved' : 'firing',
      labels: labelsToObject(alert.labels),
      annotations: { picture: pictureOf(alert), ...labelsToObject(alert.annotations) },
      startsAt: new Date(alert.activeMillis).toISOString(),
      endsAt: alert.isResolved ? new Date(alert.endMillis).toISOString() : '0001-01-01T00:00:00Z',
      generatorURL: alert.link,
      fingerprint: fingerprint(alert.labels),
    })),
  });
}

/** Returns the body of a Slack message. `picture` is the URL of a picture; undefined = none. */
export function slackBody(message: GroupMessage, channel: string, picture?: string): string {
  const { alerts, groupLabels, externalUrl } = message;
  const firing = alerts.filter(({ isResolved }) => !isResolved);
  const isResolved = firing.length === 0;
  const values = groupLabels.map(({ value }) => value).join(' ');
  const count = isResolved ? '' : `:${firing.length}`;
  const title = `[${isResolved ? 'RESOLVED' : 'FIRING'}${count}] ${values}`.trim();
  const lines = alerts.map((alert) => {
    const { summary, description } = labelsToObject(alert.annotations);
    const text = summary ?? description ?? describeLabels(alert.labels);
    const state = alert.isResolved ? ' (resolved)' : '';
    return `<${alert.link}|${escapeSlack(text)}>${state}`;
  });
  const attachment = {
    fallback: title,
    color: isResolved ? 'good' : 'danger',
    title: escapeSlack(title),
    title_link: externalUrl,
    text: lines.join('\n'),
    mrkdwn_in: ['text'],
    image_url: picture,
  };
  return JSON.stringify({
    channel: channel === '' ? undefined : channel,
    attachments: [attachment],
  });
}

function describeLabels(labels: LabelSet): string {
  return labels.map(({ name, value }) => `${name}=${value}`).join(' ');
}

/** Escapes characters with a meaning in Slack's markup. */
function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
