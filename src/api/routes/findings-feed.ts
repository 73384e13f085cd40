// Findings as an Atom feed (RFC 4287), for feed readers and chat rooms.
import { amountText, findingSentence } from '../../findings/finding-text.ts';
import type { Finding } from '../../findings/interface.ts';

/**
 * Addresses in a feed: those of the page and of the feed itself. The address of the page may be
 * relative.
 */
export interface FeedPlace {
  /** Address of the page, ending in `/findings`. */
  readonly page: string;
  readonly feed: string;
}

/** Returns the feed, the newest finding first. */
export function findingsFeed(
  findings: readonly Finding[],
  { page, feed }: FeedPlace,
  nowMillis: number,
): string {
  const updated = Math.max(...findings.map(({ stateMillis }) => stateMillis), 0);
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    '<title>Findings of Parca</title>',
    '<id>urn:parca:findings</id>',
    `<updated>${formatTime(updated === 0 ? nowMillis : updated)}</updated>`,
    '<author><name>Parca</name></author>',
    `<link rel="self" type="application/atom+xml" href="${escapeXml(feed)}"/>`,
    `<link rel="alternate" type="text/html" href="${escapeXml(page)}"/>`,
    ...findings.map((finding) => entry(finding, page)),
    '</feed>',
    '',
  ].join('\n');
}

function entry(finding: Finding, page: string): string {
  const { id, kind, resource, service, state, foundMillis, stateMillis, functions } = finding;
  const sentence = escapeXml(findingSentence(finding));
  const rows = functions.map(({ name, measure, amount }) => {
    const sign = amount > 0 ? '+' : '';
    return `<li>${escapeXml(name)} (${measure}): ${sign}${amountText(resource, amount)}</li>`;
  });
  return [
    '<entry>',
    `<title>${sentence}</title>`,
    `<id>urn:parca:finding:${id}</id>`,
    `<published>${formatTime(foundMillis)}</published>`,
    `<updated>${formatTime(stateMillis)}</updated>`,
    `<link rel="alternate" type="text/html" href="${escapeXml(`${page}#${id}`)}"/>`,
    `<category term="${kind}"/>`,
    `<category term="${state}"/>`,
    `<category term="${escapeXml(service.name)}"/>`,
    `<content type="html">${escapeXml(`<p>${sentence}</p><ul>${rows.join('')}</ul>`)}</content>`,
    '</entry>',
  ].join('\n');
}

function formatTime(millis: number): string {
  return new Date(millis).toISOString();
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Characters that XML 1.0 does not allow, not even escaped. */
// eslint-disable-next-line no-control-regex
const notXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(notXml, '\ufffd')
    .replace(/[&<>"']/g, (character) => entities[character]);
}
