// Makes random encoded report requests with filters of every kind, and requests as broken clients
// send them.
import Long from 'long';
import { parca } from '../../proto/gen/query.js';
import type { RandomBelow } from '../../src/query/testing/random-rows.ts';
import { randomPattern } from './random-pattern.ts';
import { randomQuery } from './random-query.ts';

const messages = parca.query.v1alpha1;
type Request = parca.query.v1alpha1.QueryRequest.$Properties;
type Filter = parca.query.v1alpha1.Filter.$Properties;
type Criteria = parca.query.v1alpha1.FilterCriteria.$Properties;

const query = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
const fields = ['function_name', 'function_file_name', 'location_address', 'mapping_file'];
const strangeFields = ['timestamp', 'labels.', 'labels.__name__', '', 'nothing'];
const names = [
  'f0',
  'F1',
  'f',
  'libF1.so',
  'app',
  'src/a.go',
  '',
  '世',
  '\u0000',
  'x'.repeat(5000),
];
const numbers = [0, 1, 12, -1, 2 ** 31, 2 ** 53].map((value) => Long.fromNumber(value));
const strangePercents = [101, -1, Number.NaN, Number.POSITIVE_INFINITY];
const percents = [0, 0.5, 50, 100, 1e-30];

function pick<T>(random: RandomBelow, values: readonly T[]): T {
  return values[random(values.length)];
}

/** Returns an encoded QueryRequest; one in four is changed after encoding. */
export function randomRequest(random: RandomBelow): Uint8Array {
  const bytes = messages.QueryRequest.encode(makeRequest(random)).finish();
  return random(4) === 0 ? mutated(random, bytes) : bytes;
}

function makeRequest(random: RandomBelow): Request {
  const text = (): string => (random(20) === 0 ? randomQuery(random) : query);
  const merge = {
    query: text(),
    start: time(pick(random, [0, 0, 0, 0, -1, 2 ** 40]), 0),
    end: time(pick(random, [10, 10_000, 2 ** 33, 2 ** 53]), random(1_100_000_000)),
  };
  const single = { query: text(), time: time(random(3), random(3) * 500_000) };
  const side = { mode: random(10) === 0 ? random(3) : 1, merge };
  const options = pick(random, [{ merge }, { merge }, { single }, { diff: { a: side, b: side } }]);
  const field = (): string =>
    usually(random, [...fields, 'labels.job', 'labels.thread'], strangeFields);
  const mode = 'merge' in options ? 2 : 'single' in options ? 0 : 1;
  return {
    ...options,
    mode: random(20) === 0 ? random(5) : mode,
    reportType: random(random(20) === 0 ? 12 : 10),
    ...(random(3) === 0 && { nodeTrimThreshold: usually(random, percents, strangePercents) }),
    ...(random(3) === 0 && { rootTrimThreshold: usually(random, percents, strangePercents) }),
    ...(random(2) === 0 && { groupBy: { fields: randomList(random, 4, field) } }),
    ...(random(5) === 0 && { sourceReference: { buildId: '', filename: pick(random, names) } }),
    invertCallStack: random(3) === 0,
    ...(random(3) === 0 && { sandwichByFunction: randomText(random) }),
    filter: randomList(random, random(50) === 0 ? 80 : 4, () => randomFilter(random)),
  };
}

function time(seconds: number, nanos: number): { seconds: Long; nanos: number } {
  return { seconds: Long.fromNumber(seconds), nanos };
}

function usually<T>(random: RandomBelow, values: readonly T[], strange: readonly T[]): T {
  return pick(random, random(30) === 0 ? strange : values);
}

function randomList<T>(random: RandomBelow, lengthMax: number, make: () => T): T[] {
  return Array.from({ length: random(lengthMax + 1) }, make);
}

function randomFilter(random: RandomBelow): Filter {
  const criteria = randomCriteria(random);
  const functionNameStackFilter = {
    functionToFilter: randomText(random),
    exclude: random(2) === 0,
  };
  const binaryFrameFilter = { includeBinaries: randomList(random, 3, () => randomText(random)) };
  return pick<Filter>(random, [
    { stackFilter: { criteria } },
    { frameFilter: { criteria } },
    { stackFilter: { functionNameStackFilter } },
    { frameFilter: { binaryFrameFilter } },
    { stackFilter: {} },
    {},
  ]);
}

const operators = ['equal', 'notEqual', 'contains', 'notContains', 'startsWith', 'notStartsWith'];

function randomCriteria(random: RandomBelow): Criteria {
  const criteria: Criteria = {};
  const text = (): object => ({ [pick(random, operators)]: randomText(random) });
  const number = (): object => ({ [pick(random, operators.slice(0, 2))]: pick(random, numbers) });
  if (random(2) === 0) criteria.functionName = text();
  if (random(4) === 0) criteria.systemName = text();
  if (random(4) === 0) criteria.binary = text();
  if (random(4) === 0) criteria.filename = text();
  if (random(4) === 0) criteria.address = number();
  if (random(4) === 0) criteria.lineNumber = number();
  return criteria;
}

function randomText(random: RandomBelow): string {
  return random(4) === 0 ? randomPattern(random) : pick(random, names);
}

/** Returns the bytes with some of them removed, changed, doubled or inserted. */
function mutated(random: RandomBelow, bytes: Uint8Array): Uint8Array {
  const [a, b] = [random(bytes.length + 1), random(bytes.length + 1)].sort((x, y) => x - y);
  const [head, piece, tail] = [bytes.subarray(0, a), bytes.subarray(a, b), bytes.subarray(b)];
  const byte = Uint8Array.of(random(256));
  const changes = [
    [head, tail],
    [head, byte, bytes.subarray(a + 1)],
    [head, byte, piece, tail],
    [head, piece, piece, tail],
    [head],
  ];
  return Buffer.concat(pick(random, changes));
}
