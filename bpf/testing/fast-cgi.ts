// Requests to a FastCGI server, such as php-fpm: https://fastcgi-archives.github.io.
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Types of records. */
const kinds = { begin: 1, parameters: 4, input: 5, output: 6 } as const;
/** Role of a server that answers a request. */
const responder = 1;
const headerBytes = 8;

/**
 * Sends a request to the server at a Unix socket; returns the body of its answer. The parameters
 * are those of CGI, shorter than 128 bytes.
 */
export async function requestFastCgi(
  socketPath: string,
  parameters: Readonly<Record<string, string>>,
): Promise<string> {
  const socket = connect(socketPath);
  const pairs = Object.entries(parameters).flatMap(([name, value]) => [
    Buffer.of(name.length, value.length),
    Buffer.from(name + value),
  ]);
  socket.write(
    Buffer.concat([
      makeRecord(kinds.begin, Buffer.of(0, responder, 0, 0, 0, 0, 0, 0)),
      makeRecord(kinds.parameters, Buffer.concat(pairs)),
      makeRecord(kinds.parameters, Buffer.alloc(0)),
      makeRecord(kinds.input, Buffer.alloc(0)),
    ]),
  );
  const answer = readRecords(await buffer(socket), kinds.output);
  return answer.slice(answer.indexOf('\r\n\r\n') + 4);
}

/** A record of the first request of a connection. */
function makeRecord(kind: number, content: Buffer): Buffer {
  const header = Buffer.of(1, kind, 0, 1, 0, 0, 0, 0);
  header.writeUInt16BE(content.length, 4);
  return Buffer.concat([header, content]);
}

/** Returns the contents of all records of a kind. */
function readRecords(bytes: Buffer, kind: number): string {
  const contents: Buffer[] = [];
  for (let at = 0; at + headerBytes <= bytes.length;) {
    const length = bytes.readUInt16BE(at + 4);
    const start = at + headerBytes;
    if (bytes[at + 1] === kind) contents.push(bytes.subarray(start, start + length));
    at = start + length + bytes[at + 6];
  }
  return Buffer.concat(contents).toString();
}
