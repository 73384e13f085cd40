// Reads the XML of APIs: elements, attributes and text. Schemas, document types and custom entities
// are not supported, because hostile documents use them.
import { AppError } from '../errors.ts';

export interface XmlElement {
  /** Name as written, with its prefix. */
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** Text of the element, without the text of children and without surrounding spaces. */
  readonly text: string;
}

/** Largest nesting depth of elements; no API needs more. */
const depthMax = 100;

/** A tag, a comment, a section of text or a declaration. */
const markup =
  /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<\?[\s\S]*?\?>|<(\/?)([\w.:-]+)((?:[^<>"']|"[^"<]*"|'[^'<]*')*?)(\/?)>/y;
const attribute = /([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/**
 * Returns the root element of a document.
 *
 * Errors: AppError 'invalid-argument' with the position of the mistake.
 */
export function parseXml(xml: string): XmlElement {
  const document = newElement('', new Map());
  const open = [document];
  let at = 0;
  while (at < xml.length) {
    const parent = open[open.length - 1];
    const start = xml.indexOf('<', at);
    if (start !== at) {
      const end = start === -1 ? xml.length : start;
      parent.text += decodeEntities(xml.slice(at, end));
      at = end;
      continue;
    }
    markup.lastIndex = at;
    const found = markup.exec(xml);
    if (found === null) throw mistake('expected a tag', at);
    const [whole, cdata, closing, name, attributes, isEmpty] = found;
    if (cdata !== undefined) parent.text += cdata;
    if (closing === '/') {
      if (open.length === 1 || parent.name !== name) throw mistake(`unexpected </${name}>`, at);
      open.pop();
    } else if (name !== undefined) {
      const element = newElement(name, readAttributes(attributes));
      parent.children.push(element);
      if (isEmpty === '') open.push(element);
      if (open.length > depthMax) throw mistake('too many elements in each other', at);
    }
    at += whole.length;
  }
  const [root] = document.children;
  if (open.length > 1) throw mistake(`<${open[open.length - 1].name}> is not closed`, at);
  if (root === undefined) throw mistake('expected an element', at);
  return root;
}

/** Returns the first child with a name; an empty element if there is none. */
export function requireChild(element: XmlElement, name: string): XmlElement {
  return element.children.find((child) => child.name === name) ?? nothing;
}

/** Returns the text of a child; "" if there is none. */
export function childText(element: XmlElement, name: string): string {
  return requireChild(element, name).text.trim();
}

export function listChildren(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.filter((child) => child.name === name);
}

/** Replaces entities with their characters. */
function decodeEntities(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, number, name) => {
    const code = hex === undefined ? Number(number) : parseInt(hex, 16);
    if (name !== undefined) return entities[name] ?? whole;
    return code <= 0x10_ffff ? String.fromCodePoint(code) : whole;
  });
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

interface OpenElement extends XmlElement {
  readonly children: XmlElement[];
  text: string;
}

function newElement(name: string, attributes: XmlElement['attributes']): OpenElement {
  return { name, attributes, children: [], text: '' };
}

const nothing: XmlElement = newElement('', new Map());

function readAttributes(text: string): ReadonlyMap<string, string> {
  const pairs = [...text.matchAll(attribute)];
  return new Map(
    pairs.map(([, name, double, single]) => [name, decodeEntities(double ?? single ?? '')]),
  );
}

function mistake(what: string, at: number): AppError {
  return new AppError('invalid-argument', `cannot read XML: ${what} at character ${at}`);
}
