// Creates profiles for tests and the fake server: converts stacks written as strings to rows and an
// Arrow answer.
import {
  binary,
  bool,
  CompressionType,
  type DataType,
  dictionary,
  getCompressionCodec,
  int32,
  int64,
  type IntType,
  list,
  setCompressionCodec,
  tableFromArrays,
  tableToIPC,
  uint16,
  uint32,
  uint64,
  uint8,
} from '@uwdata/flechette';
import { compressFrameSync } from 'lz4-napi';
import { addLz4 } from '../src/rpc/arrow-lz4.ts';

/** A row of a made-up flame graph, in the order in which Parca sends rows. */
export interface MadeUpRow {
  readonly name: string | undefined;
  readonly parent: number;
  readonly depth: number;
  readonly children: number[];
  cumulative: bigint;
  flat: bigint;
  readonly binary: string | undefined;
  readonly file: string | undefined;
  readonly address: bigint | undefined;
  /** Value of the label `pod`, also set in rows below a label row. */
  readonly pod?: string;
  readonly isLabelRow?: boolean;
}

/** Returns the location of a function; called once per frame. */
export type Places = (name: string) => { readonly binary?: string; readonly file?: string };

/** Stacks of fixture T: 1,000 samples of 10 ms over 10 s. */
export const fixtureT = [
  'main.main;svc.(*H).Serve 100',
  'main.main;svc.(*H).Serve;encoding/json.Marshal 300',
  'main.main;svc.(*H).Serve;db.Query 200',
  'runtime.gcBgMark 399',
  'tiny.one 1',
];

/** Binaries in fixture T. */
const placesT: Places = (name) =>
  name.startsWith('runtime.') ? { binary: '/lib/rt.so' } : { binary: '/bin/api' };

/** Converts lines of `frame;frame value`, root first, to rows in breadth-first order. */
export function rowsOfStacks(
  stacks: readonly string[],
  scale = 10_000_000n,
  places: Places = placesT,
): MadeUpRow[] {
  const unordered: MadeUpRow[] = [makeRow(undefined, -1, 0, places)];
  const byPath = new Map<string, number>();
  for (const line of stacks) {
    const space = line.lastIndexOf(' ');
    const value = BigInt(line.slice(space + 1)) * scale;
    let at = 0;
    unordered[0].cumulative += value;
    let path = '';
    for (const name of line.slice(0, space).split(';')) {
      path += `;${name}`;
      let row = byPath.get(path);
      if (row === undefined) {
        row = unordered.push(makeRow(name, at, unordered[at].depth + 1, places)) - 1;
        byPath.set(path, row);
        unordered[at].children.push(row);
      }
      at = row;
      unordered[at].cumulative += value;
    }
    unordered[at].flat += value;
  }
  return breadthFirst(unordered);
}

function makeRow(
  name: string | undefined,
  parent: number,
  depth: number,
  places: Places,
): MadeUpRow {
  const { binary, file } = name === undefined ? {} : places(name);
  const address = name?.startsWith('0x') ? BigInt(name) : undefined;
  return {
    name: address === undefined ? name : undefined,
    parent,
    depth,
    children: [],
    cumulative: 0n,
    flat: 0n,
    binary,
    file,
    address,
  };
}

function breadthFirst(rows: readonly MadeUpRow[]): MadeUpRow[] {
  const order = [0];
  for (let at = 0; at < order.length; at++) order.push(...rows[order[at]].children);
  const place = new Map(order.map((row, i) => [row, i]));
  const moved = (row: number) => place.get(row) ?? -1;
  return order.map((row) => ({
    ...rows[row],
    parent: moved(rows[row].parent),
    children: rows[row].children.map(moved),
  }));
}

/** Returns the bytes of an Arrow stream with Parca's 18 columns and LZ4 bodies. */
export function encodeFlameGraph(rows: readonly MadeUpRow[]): Uint8Array {
  addLz4();
  const codec = getCompressionCodec(CompressionType.LZ4_FRAME);
  if (codec === null) throw new Error('addLz4 has set it');
  const encode = (data: Uint8Array) => compressFrameSync(Buffer.from(data));
  setCompressionCodec(CompressionType.LZ4_FRAME, { ...codec, encode });
  const encoder = new TextEncoder();
  const utf8 = (text: string | undefined) => (text === undefined ? null : encoder.encode(text));
  const words = (type: IntType) => dictionary(binary(), type);
  const columns: readonly (readonly [name: string, values: unknown[], type: DataType])[] = [
    ['labels_only', rows.map((row, i) => (i === 0 ? null : row.isLabelRow === true)), bool()],
    ['location_address', rows.map((row) => row.address ?? null), uint64()],
    ['mapping_file', rows.map((row) => utf8(row.binary)), words(uint8())],
    ['mapping_build_id', rows.map((row) => utf8(row.binary && 'abc123')), words(uint8())],
    ['location_line', rows.map((_, i) => i % 200), uint8()],
    ['inlined', rows.map((_, i) => (i === 0 ? null : i % 7 === 6)), bool()],
    ['function_startline', rows.map(() => 0), uint8()],
    ['function_name', rows.map((row) => utf8(row.name)), words(uint16())],
    ['function_system_name', rows.map((row) => utf8(row.name)), words(uint16())],
    ['function_file_name', rows.map((row) => utf8(row.file ?? row.name)), words(uint16())],
    [
      'children',
      rows.map((row) => (row.children.length > 0 ? row.children : null)),
      list(uint32()),
    ],
    ['parent', rows.map((row) => row.parent), int32()],
    ['cumulative', rows.map((row) => row.cumulative), uint64()],
    ['flat', rows.map((row) => row.flat), uint64()],
    ['diff', rows.map(() => 0), uint8()],
    ['timestamp', rows.map(() => 0n), int64()],
    ['depth', rows.map((row) => row.depth), uint16()],
    ['value_offset', rows.map(() => 0), uint8()],
    ...(rows.some(({ pod }) => pod !== undefined)
      ? [['labels.pod', rows.map((row) => utf8(row.pod)), words(uint8())] as const]
      : []),
  ];
  const table = tableFromArrays(
    columns.map(([name, values]): [string, unknown[]] => [name, values]),
    { types: Object.fromEntries(columns.map(([name, , type]) => [name, type])) },
  );
  const bytes = tableToIPC(table, { format: 'stream', codec: CompressionType.LZ4_FRAME });
  if (bytes === null) throw new Error('flechette wrote nothing');
  return bytes;
}
