// The types of a chunk, from its metadata event: the layout of events and constants.
//
// The event has a table of strings, and a tree of elements whose names and attributes are row
// numbers of that table:
// <root><metadata><class id name superType><field name class constantPool dimension/></class>...
import { inputLimits, overInputLimit } from '../../base/input-limits.ts';
import { type JfrCursor, type Key, what } from './cursor.ts';

/** Ways in which a value is stored; `struct` has fields. */
export type JfrKind =
  | 'byte'
  | 'short'
  | 'int'
  | 'long'
  | 'float'
  | 'double'
  | 'string'
  | 'struct'
  /** A struct without bytes. */
  | 'nothing';

/** A type. Its fields are known after all types have been read. */
export interface JfrType {
  readonly id: Key;
  readonly name: string;
  kind: JfrKind;
  readonly fields: JfrField[];
}

/** A field of a type. */
export interface JfrField {
  readonly name: string;
  readonly type: JfrType;
  /** True if the value is a key of a constant. */
  readonly isConstant: boolean;
  readonly isArray: boolean;
  /** Unit of a duration, such as TICKS; '' if it has none. */
  readonly unit: string;
}

interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly Element[];
}

/** Largest nesting depth of elements; known writers use five levels. */
const elementDepthMax = 16;
/** Largest nesting depth of structs; the JDK uses three levels. */
export const structDepthMax = 32;

const primitives: ReadonlyMap<string, JfrKind> = new Map([
  ['boolean', 'byte'],
  ['byte', 'byte'],
  ['char', 'short'],
  ['short', 'short'],
  ['int', 'int'],
  ['long', 'long'],
  ['float', 'float'],
  ['double', 'double'],
  ['java.lang.String', 'string'],
]);

/** Types by id. */
export type JfrTypes = ReadonlyMap<Key, JfrType>;

/** Reads the event at the cursor. Errors: DecodeError; AppError 'resource-exhausted'. */
export function readTypes(cursor: JfrCursor): JfrTypes {
  cursor.int();
  if (cursor.key() !== 0) throw cursor.fail('its types are not where its header says');
  for (const _ of ['start', 'duration', 'id']) cursor.integer(8);
  const strings: string[] = [];
  const stringCount = cursor.count();
  requireSymbols(stringCount);
  for (let i = 0; i < stringCount; i += 1) {
    const text = cursor.string();
    strings.push(typeof text === 'string' ? text : '');
  }
  const reader = new ElementReader(cursor, strings);
  const root = reader.read(0);
  const metadata = root.children.find(({ name }) => name === 'metadata');
  const classes = (metadata?.children ?? []).filter(({ name }) => name === 'class');
  return linkTypes(classes, cursor);
}

class ElementReader {
  readonly #cursor: JfrCursor;
  readonly #strings: readonly string[];
  #count = 0;

  constructor(cursor: JfrCursor, strings: readonly string[]) {
    this.#cursor = cursor;
    this.#strings = strings;
  }

  read(depth: number): Element {
    const cursor = this.#cursor;
    if (depth > elementDepthMax) throw cursor.fail('elements of its types are too deep');
    this.#count += 1;
    requireSymbols(this.#count);
    const name = this.#text();
    const attributes = new Map<string, string>();
    for (let left = cursor.count(2); left > 0; left -= 1) {
      attributes.set(this.#text(), this.#text());
    }
    const children: Element[] = [];
    for (let left = cursor.count(3); left > 0; left -= 1) children.push(this.read(depth + 1));
    return { name, attributes, children };
  }

  #text(): string {
    const at = this.#cursor.pos;
    const text = this.#strings[this.#cursor.int()];
    if (text === undefined) throw this.#cursor.fail('a name of its types is absent', at);
    return text;
  }
}

function linkTypes(classes: readonly Element[], cursor: JfrCursor): JfrTypes {
  const types = new Map<Key, JfrType>();
  for (const { attributes } of classes) {
    const id = parseKey(attributes.get('id'));
    if (id === undefined) throw cursor.fail('a type has no id');
    const name = attributes.get('name') ?? '';
    types.set(id, { id, name, kind: primitives.get(name) ?? 'struct', fields: [] });
  }
  for (const { attributes, children } of classes) {
    const type = types.get(parseKey(attributes.get('id')) ?? 0);
    if (type === undefined || type.kind !== 'struct' || type.fields.length > 0) continue;
    for (const child of children) {
      if (child.name === 'field') type.fields.push(readField(child, types, cursor));
    }
  }
  for (const type of types.values()) settle(type, new Map(), cursor);
  return types;
}

function readField(element: Element, types: JfrTypes, cursor: JfrCursor): JfrField {
  const { attributes, children } = element;
  const name = attributes.get('name') ?? '';
  const type = types.get(parseKey(attributes.get('class')) ?? -1);
  if (type === undefined) throw cursor.fail(`the type of its field ${name} is unknown`);
  const timespan = children.find(
    (child) =>
      child.name === 'annotation' &&
      types.get(parseKey(child.attributes.get('class')) ?? -1)?.name === 'jdk.jfr.Timespan',
  );
  return {
    name,
    type,
    isConstant: attributes.get('constantPool') === 'true',
    isArray: Number(attributes.get('dimension') ?? 0) > 0,
    unit: timespan?.attributes.get('value') ?? '',
  };
}

/**
 * Marks structs that take no bytes, and removes fields that take no bytes, so that every remaining
 * field takes at least one byte. `path` has the enclosing structs.
 */
function settle(type: JfrType, path: Map<JfrType, true>, cursor: JfrCursor): void {
  if (type.kind !== 'struct' || settled.has(type)) return;
  if (path.has(type)) throw cursor.fail(`its type ${type.name} has itself as a field`);
  if (path.size > structDepthMax) throw cursor.fail(`its type ${type.name} is too deep`);
  path.set(type, true);
  for (const field of type.fields) {
    // Elements of a list may have the type that contains the list.
    if (!field.isConstant && !field.isArray) settle(field.type, path, cursor);
  }
  path.delete(type);
  const sized = type.fields.filter(
    ({ type: { kind }, isConstant, isArray }) => isConstant || isArray || kind !== 'nothing',
  );
  type.fields.splice(0, type.fields.length, ...sized);
  if (sized.length === 0) type.kind = 'nothing';
  settled.add(type);
}

const settled = new WeakSet<JfrType>();

function parseKey(text: string | undefined): Key | undefined {
  if (text === undefined || !/^-?\d{1,20}$/.test(text)) return undefined;
  const value = BigInt.asUintN(64, BigInt(text));
  return value < 1n << 53n ? Number(value) : value;
}

function requireSymbols(count: number): void {
  const { profileSymbols } = inputLimits;
  if (count <= profileSymbols) return;
  throw overInputLimit('profileSymbols', `${what}: it has more than ${profileSymbols} names`);
}
