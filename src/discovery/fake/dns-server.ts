// A DNS server on the loopback interface that answers from a table.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** Records of each name, by type. A name that is missing in the table does not exist. */
export type Zone = Record<string, Partial<Record<RecordType, readonly string[]>>>;
type RecordType = keyof typeof typeNumbers;

const typeNumbers = { A: 1, NS: 2, MX: 15, AAAA: 28, SRV: 33 } as const;
const refused = 5;
const noSuchName = 3;

export interface DnsServer {
  /** Address of the server: `127.0.0.1:port`. */
  readonly address: string;
  /** Requested names, each with the requested type. */
  readonly asked: string[];
  zone: Zone;
  /** True while all requests are refused. */
  isRefusing: boolean;
  close(): void;
}

export async function startDnsServer(zone: Zone): Promise<DnsServer> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const server: DnsServer = {
    address: `127.0.0.1:${socket.address().port}`,
    asked: [],
    zone,
    isRefusing: false,
    close: () => void socket.close(),
  };
  socket.on('message', (question, from) => {
    socket.send(answerTo(question, server), from.port, from.address);
  });
  return server;
}

function answerTo(question: Buffer, server: DnsServer): Buffer {
  const labels: string[] = [];
  let at = 12;
  while (question[at] > 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + question[at]));
    at += 1 + question[at];
  }
  const name = labels.join('.');
  const number = question.readUInt16BE(at + 1);
  const [type] = Object.entries(typeNumbers).find(([, value]) => value === number) ?? ['?'];
  server.asked.push(`${type} ${name}`);
  const records = server.zone[name];
  const data = server.isRefusing ? [] : (records?.[type as RecordType] ?? []);
  const code = server.isRefusing ? refused : records === undefined ? noSuchName : 0;
  const head = Buffer.from(question.subarray(0, 12));
  head.writeUInt16BE(0x81_80 | code, 2);
  head.writeUInt16BE(data.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([
    head,
    question.subarray(12, at + 5),
    ...data.map((value) => encodeRecord(number, encodeData(type as RecordType, value))),
  ]);
}

function encodeRecord(type: number, data: Buffer): Buffer {
  // These bytes are: a pointer to the name in the question, the type, class IN, and a lifetime of a
  // second.
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 1, 0, data.length]);
  return Buffer.concat([head, data]);
}

function encodeData(type: RecordType, value: string): Buffer {
  const words = value.split(' ');
  const name = Buffer.concat([
    ...words[words.length - 1].split('.').map((label) => Buffer.from(sized(label), 'latin1')),
    Buffer.from([0]),
  ]);
  if (type === 'A') return Buffer.from(value.split('.').map(Number));
  if (type === 'AAAA') {
    const groups = value.split(':').map((group) => parseInt(group, 16));
    return Buffer.from(groups.flatMap((group) => [group >> 8, group & 255]));
  }
  const numbers = words.slice(0, -1).map(Number);
  return Buffer.concat([Buffer.from(numbers.flatMap((one) => [one >> 8, one & 255])), name]);
}

function sized(label: string): string {
  return String.fromCodePoint(label.length) + label;
}
