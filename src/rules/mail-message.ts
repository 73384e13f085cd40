// Formats alerts as an e-mail: subject, plain text and a stable Message-ID. Line breaks in labels
// cannot add headers.
import { hexMd5 } from '../base/node/md5.ts';
import { type LabelSet, labelsToObject } from '../model/labels.ts';
import type { GroupMessage, SentAlert } from './alert-message.ts';
import { mailAlertsMax, mailSubjectCharactersMax, mailTextCharactersMax } from './limits.ts';

/** Subject and text of an e-mail. */
export interface MailText {
  /** A single line. */
  readonly subject: string;
  readonly text: string;
}

/** Returns the subject and the text of an e-mail about a group of alerts. */
export function mailText({ groupLabels, externalUrl, alerts }: GroupMessage): MailText {
  const firing = alerts.filter(({ isResolved }) => !isResolved).length;
  const ended = alerts.length - firing;
  const state = firing > 0 ? 'Firing' : 'Resolved';
  const count = countOf(firing > 0 ? firing : ended);
  const values = groupLabels.map(({ value }) => value).join(' ');
  const subject = values === '' ? `${state}: ${count}` : `${state}: ${values}`;
  const short = cut(oneLine(subject), mailSubjectCharactersMax);
  const counts = [
    ...(firing > 0 ? [`${countOf(firing)} firing`] : []),
    ...(ended > 0 ? [`${countOf(ended)} resolved`] : []),
  ].join(', ');
  const shown = alerts.slice(0, mailAlertsMax).map(describeAlert);
  const more = alerts.length - shown.length;
  const parts = [
    `${counts}${groupLabels.length > 0 ? `: ${describeLabels(groupLabels)}` : ''}`,
    ...shown,
    ...(more > 0 ? [`... and ${countOf(more)} more`] : []),
    `All alerts: ${externalUrl}/alerts`,
  ];
  return {
    subject: values === '' ? short : `${short} (${count})`,
    text: `${parts.join('\n\n')}\n`,
  };
}

/**
 * Returns the Message-ID of a message to an address. It stays the same if the message is sent again
 * after a restart, but differs for a repeated notification. `domain` is the domain of the sender.
 */
export function mailId(message: GroupMessage, to: string, domain: string): string {
  const { receiver, groupLabels, afterMillis, alerts } = message;
  const states = alerts.map(({ key, activeMillis, isResolved }) => [key, activeMillis, isResolved]);
  const parts = [receiver, to, labelsToObject(groupLabels), afterMillis, states];
  return `<${hexMd5(JSON.stringify(parts))}@${domain}>`;
}

function countOf(alerts: number): string {
  return alerts === 1 ? '1 alert' : `${alerts} alerts`;
}

function describeAlert({ labels, annotations, ...alert }: SentAlert): string {
  const { summary, description } = labelsToObject(annotations);
  const from = new Date(alert.activeMillis).toISOString();
  const state = alert.isResolved
    ? `Resolved at ${new Date(alert.endMillis).toISOString()}, began at ${from}`
    : `Firing since ${from}`;
  const lines = [state, summary, description, `Labels: ${describeLabels(labels)}`, alert.link];
  return lines
    .filter((line) => line !== undefined)
    .map((line) => cut(oneLine(line), mailTextCharactersMax))
    .join('\n');
}

function describeLabels(labels: LabelSet): string {
  return oneLine(labels.map(({ name, value }) => `${name}=${value}`).join(' '));
}

/** Characters that end a line, change the direction of text, or are invisible. */
const notText = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu;

function oneLine(text: string): string {
  return text.replaceAll(notText, ' ').trim();
}

function cut(text: string, charactersMax: number): string {
  const isLong = text.length > charactersMax;
  return (isLong ? `${text.slice(0, charactersMax)}...` : text).toWellFormed();
}
