// Writes proto/gen/descriptors.ts: encoded FileDescriptorProtos and the tables of the JSON mapping.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import protobuf from 'protobufjs';
import descriptor from 'protobufjs/ext/descriptor.js';

/** FieldDescriptorProto.Type by the name used in .proto files. */
const scalarTypes = {
  double: 1,
  float: 2,
  int64: 3,
  uint64: 4,
  int32: 5,
  fixed64: 6,
  bool: 8,
  string: 9,
  bytes: 12,
  uint32: 13,
};
const messageType = 11;
const enumType = 14;

/** Returns the content of descriptors.ts for `files` (paths below `folder`). */
export function describeFiles(folder, files) {
  const root = new protobuf.Root();
  const tables = { files: {}, messages: {}, enums: {}, services: {} };
  const parsed = files.map((file) => parseFile(root, folder, file));
  root.resolveAll();
  for (const { file, text, imports } of parsed) {
    const proto = describeFile(root, file, text, imports, tables);
    const bytes = descriptor.FileDescriptorProto.encode(proto).finish();
    tables.files[file] = {
      imports,
      symbols: listSymbols(proto),
      descriptor: Buffer.from(bytes).toString('base64'),
    };
  }
  return moduleText(tables);
}

function parseFile(root, folder, file) {
  const text = readFileSync(join(folder, file), 'utf8');
  const { imports } = protobuf.parse(text, root, { keepCase: true });
  return { file, text, imports: imports ?? [] };
}

function describeFile(root, file, text, imports, tables) {
  const packageName = /^package ([\w.]+);$/m.exec(text)[1];
  const space = root.lookup(packageName);
  const proto = {
    name: file,
    package: packageName,
    dependency: imports,
    messageType: [],
    enumType: [],
    service: [],
    syntax: 'proto3',
  };
  for (const child of space.nestedArray) {
    if (!new RegExp(`^(message|enum|service) ${child.name} `, 'm').test(text)) continue;
    if (child instanceof protobuf.Type) proto.messageType.push(describeMessage(child, tables));
    if (child instanceof protobuf.Enum) proto.enumType.push(describeEnum(child, tables));
    if (child instanceof protobuf.Service) proto.service.push(describeService(child, tables));
  }
  return proto;
}

function describeMessage(type, tables) {
  const oneofs = type.oneofsArray.filter((oneof) => !oneof.isProto3Optional);
  const optionals = type.oneofsArray.filter((oneof) => oneof.isProto3Optional);
  const order = [...oneofs, ...optionals];
  const fields = type.fieldsArray.map((field) => describeField(type, field, order));
  const fullName = type.fullName.slice(1);
  tables.messages[fullName] = type.fieldsArray.map((field, i) => fieldRow(field, fields[i]));
  const nested = type.nestedArray;
  const messages = nested.filter((child) => child instanceof protobuf.Type);
  const maps = type.fieldsArray.filter((field) => field.map);
  return {
    name: type.name,
    field: fields,
    nestedType: [
      ...messages.map((child) => describeMessage(child, tables)),
      ...maps.map((field) => describeMapEntry(field)),
    ],
    enumType: nested
      .filter((child) => child instanceof protobuf.Enum)
      .map((child) => describeEnum(child, tables)),
    oneofDecl: order.map((oneof) => ({ name: oneof.name })),
  };
}

function fieldRow(field, described) {
  const typeName = field.resolvedType ? field.resolvedType.fullName.slice(1) : '';
  const kind = field.resolvedType
    ? field.resolvedType instanceof protobuf.Enum
      ? 'enum'
      : 'message'
    : field.type;
  const oneof = field.partOf && !field.partOf.isProto3Optional ? field.partOf.name : '';
  const rule = field.map ? 'map' : field.repeated ? 'repeated' : field.partOf ? 'optional' : '';
  return [field.name, described.jsonName, field.id, kind, typeName, rule, oneof];
}

function describeField(type, field, oneofs) {
  const described = {
    name: field.name,
    jsonName: jsonName(field.name),
    number: field.id,
    label: field.repeated || field.map ? 3 : 1,
    ...fieldType(field),
  };
  if (field.map) {
    described.type = messageType;
    described.typeName = `${type.fullName}.${entryName(field)}`;
  }
  if (field.partOf) {
    described.oneofIndex = oneofs.indexOf(field.partOf);
    if (field.partOf.isProto3Optional) described.proto3Optional = true;
  }
  if (field.options?.deprecated) described.options = { deprecated: true };
  return described;
}

function fieldType(field) {
  if (!field.resolvedType) {
    const type = scalarTypes[field.type];
    if (!type) throw new Error(`cannot describe field ${field.fullName}: type ${field.type}`);
    return { type };
  }
  const isEnum = field.resolvedType instanceof protobuf.Enum;
  return { type: isEnum ? enumType : messageType, typeName: field.resolvedType.fullName };
}

function entryName(field) {
  const camel = jsonName(field.name);
  return `${camel[0].toUpperCase()}${camel.slice(1)}Entry`;
}

/** Returns the entry of a map field; only map<string, message> occurs. */
function describeMapEntry(field) {
  return {
    name: entryName(field),
    field: [
      { name: 'key', jsonName: 'key', number: 1, label: 1, type: scalarTypes[field.keyType] },
      { name: 'value', jsonName: 'value', number: 2, label: 1, ...fieldType(field) },
    ],
    options: { mapEntry: true },
  };
}

function describeEnum(type, tables) {
  tables.enums[type.fullName.slice(1)] = { ...type.values };
  return {
    name: type.name,
    value: Object.entries(type.values).map(([name, number]) => ({ name, number })),
  };
}

function describeService(service, tables) {
  const fullName = service.fullName.slice(1);
  tables.services[fullName] = {};
  const method = service.methodsArray.map((rpc) => {
    tables.services[fullName][rpc.name] = [
      rpc.resolvedRequestType.fullName.slice(1),
      rpc.resolvedResponseType.fullName.slice(1),
    ];
    return {
      name: rpc.name,
      inputType: rpc.resolvedRequestType.fullName,
      outputType: rpc.resolvedResponseType.fullName,
      clientStreaming: rpc.requestStream === true,
      serverStreaming: rpc.responseStream === true,
    };
  });
  return { name: service.name, method };
}

function listSymbols(proto) {
  const names = [];
  const visit = (prefix, messages) => {
    for (const message of messages) {
      names.push(`${prefix}.${message.name}`);
      visit(`${prefix}.${message.name}`, message.nestedType ?? []);
      for (const type of message.enumType ?? []) {
        names.push(`${prefix}.${message.name}.${type.name}`);
      }
    }
  };
  visit(proto.package, proto.messageType);
  for (const type of proto.enumType) names.push(`${proto.package}.${type.name}`);
  for (const { name, method } of proto.service) {
    names.push(`${proto.package}.${name}`);
    for (const rpc of method) names.push(`${proto.package}.${name}.${rpc.name}`);
  }
  return names;
}

function jsonName(name) {
  return name.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());
}

function moduleText({ files, messages, enums, services }) {
  const rows = (table) =>
    Object.entries(table)
      .map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)},\n`)
      .join('');
  return `// Generated from proto/ by tools/generate/proto.mjs. Do not edit.

/** name, name in JSON, number, kind, type name, rule, oneof ("" = none). */
export type FieldRow = readonly [
  name: string,
  jsonName: string,
  number: number,
  kind: string,
  typeName: string,
  rule: string,
  oneof: string,
];

/** Descriptors by path of the .proto file; \`descriptor\` is a FileDescriptorProto in base64. */
export const files: Readonly<
  Record<string, { imports: readonly string[]; symbols: readonly string[]; descriptor: string }>
> = {
${rows(files)}};

/** Fields by full name of the message. */
export const messages: Readonly<Record<string, readonly FieldRow[]>> = {
${rows(messages)}};

/** Numbers by name, by full name of the enum. */
export const enums: Readonly<Record<string, Readonly<Record<string, number>>>> = {
${rows(enums)}};

/** Request and response type by method, by full name of the service. */
export const services: Readonly<
  Record<string, Readonly<Record<string, readonly [request: string, response: string]>>>
> = {
${rows(services)}};
`;
}
