// Reads the few XML documents of S3 that matter here, without a general XML parser.
import { decodeEntities } from '../../../base/text/xml.ts';

/** Returns the text of the first element with this name; undefined if there is none. */
export function elementText(xml: string, name: string): string | undefined {
  const start = xml.indexOf(`<${name}>`);
  if (start < 0) return undefined;
  const from = start + name.length + 2;
  const end = xml.indexOf(`</${name}>`, from);
  return end < 0 ? undefined : decodeEntities(xml.slice(from, end));
}

/** Returns the content of each element with this name, as XML. */
export function elements(xml: string, name: string): string[] {
  const found: string[] = [];
  const close = `</${name}>`;
  for (let at = 0; ;) {
    const start = xml.indexOf(`<${name}>`, at);
    if (start < 0) return found;
    const from = start + name.length + 2;
    const end = xml.indexOf(close, from);
    if (end < 0) return found;
    found.push(xml.slice(from, end));
    at = end + close.length;
  }
}

/** Encodes a string for an element of a request. */
export function encodeEntities(text: string): string {
  return text.replace(/[&<>]/g, (it) => (it === '&' ? '&amp;' : it === '<' ? '&lt;' : '&gt;'));
}
