// Message types for the JSON mapping, from the generated tables.
import { AppError } from '../../../base/errors.ts';

/** One field of a message. */
export interface SchemaField {
  readonly name: string;
  readonly jsonName: string;
  readonly number: number;
  /**
   * Either 'message', 'enum', a scalar type of proto3, or 'hex', which means bytes that are written
   * in hexadecimal.
   */
  readonly kind: string;
  /** Full name of the message or enum; "" for scalars. */
  readonly typeName: string;
  readonly isRepeated: boolean;
  /** True if the field is a map; all our maps are map<string, ...>. */
  readonly isMap: boolean;
  /** True if an unset field can be told apart from a field with a zero value. */
  readonly hasPresence: boolean;
  /** Name of the oneof that the field belongs to, or "". */
  readonly oneof: string;
}

export interface SchemaMessage {
  readonly fullName: string;
  readonly fields: readonly SchemaField[];
  readonly byNumber: ReadonlyMap<number, SchemaField>;
  /** Fields by name; each field has two names, in snake case and in camel case. */
  readonly byName: ReadonlyMap<string, SchemaField>;
  /** True if fields without a value are left out of the JSON, as Connect's servers do. */
  readonly omitsUnset: boolean;
}

export interface SchemaEnum {
  readonly numberOf: ReadonlyMap<string, number>;
  readonly nameOf: ReadonlyMap<number, string>;
  /** True if an unknown name is treated as unset, because a client may be newer than this table. */
  readonly ignoresUnknown: boolean;
}

type FieldRow = readonly [string, string, number, string, string, string, string];

/** The generated tables: proto/gen/descriptors.ts. */
export interface SchemaTables {
  readonly messages: Readonly<Record<string, readonly FieldRow[]>>;
  readonly enums: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly services: Readonly<Record<string, Readonly<Record<string, readonly [string, string]>>>>;
}

/** Finds types by name, and builds each of them when it is first used. */
export class Schema {
  readonly #tables: SchemaTables;
  readonly #messages = new Map<string, SchemaMessage>();
  readonly #enums = new Map<string, SchemaEnum>();

  constructor(tables: SchemaTables) {
    this.#tables = tables;
  }

  message(fullName: string): SchemaMessage {
    const known = this.#messages.get(fullName);
    if (known) return known;
    const message = buildMessage(fullName, this.#tables.messages[fullName] ?? []);
    this.#messages.set(fullName, message);
    return message;
  }

  enum(fullName: string): SchemaEnum {
    const known = this.#enums.get(fullName);
    if (known) return known;
    const entries = Object.entries(this.#tables.enums[fullName] ?? {});
    const built = {
      numberOf: new Map(entries),
      nameOf: new Map(entries.map(([name, number]) => [number, name])),
      ignoresUnknown: isOfPyroscope(fullName),
    };
    this.#enums.set(fullName, built);
    return built;
  }

  /** Returns the request and response types of `/package.Service/Method`. */
  method(path: string): { readonly request: SchemaMessage; readonly response: SchemaMessage } {
    const slash = path.lastIndexOf('/');
    const types = this.#tables.services[path.slice(1, slash)]?.[path.slice(slash + 1)];
    if (!types) throw new AppError('unimplemented', `unknown method ${path}`);
    return { request: this.message(types[0]), response: this.message(types[1]) };
  }
}

/** Packages of Pyroscope's services. Their clients expect the answers of Connect's servers. */
const pyroscopePackages: ReadonlySet<string> = new Set([
  'adhocprofiles',
  'capabilities',
  'google.v1',
  'querier',
  'settings',
  'types',
  'vcs',
  'version',
]);

function isOfPyroscope(fullName: string): boolean {
  const [first, second] = fullName.split('.');
  return pyroscopePackages.has(first) || pyroscopePackages.has(`${first}.${second}`);
}

const otlp = 'opentelemetry.proto.profiles.v1development';
/** Fields of bytes that JSON writes in hexadecimal, such as OpenTelemetry's ids. */
const hexFields: ReadonlySet<string> = new Set([
  `${otlp}.Link.trace_id`,
  `${otlp}.Link.span_id`,
  `${otlp}.Profile.profile_id`,
]);

function buildMessage(fullName: string, rows: readonly FieldRow[]): SchemaMessage {
  const fields = rows.map(([name, jsonName, number, kind, typeName, rule, oneof]) => ({
    name,
    jsonName,
    number,
    kind: hexFields.has(`${fullName}.${name}`) ? 'hex' : kind,
    typeName,
    isRepeated: rule === 'repeated',
    isMap: rule === 'map',
    hasPresence: rule === 'optional' || (kind === 'message' && rule === ''),
    oneof,
  }));
  const byName = new Map<string, SchemaField>();
  for (const field of fields) byName.set(field.name, field).set(field.jsonName, field);
  const byNumber = new Map(fields.map((f) => [f.number, f]));
  return { fullName, fields, byNumber, byName, omitsUnset: isOfPyroscope(fullName) };
}
