// Tests OTLP requests with three profiles, one of which has a mistake: the others are stored, in
// both layouts and over both transports, and the answer says what was left out.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { ProtobufWriter } from '../../../src/formats/protobuf-writer.ts';
import { connect, unary } from '../../support/grpc-client.ts';
import { scratchDirectory, startServer } from '../../support/server.ts';

const from = 1_790_000_000;
const space = 'opentelemetry.proto.collector.profiles.v1development';
const exportPath = `/${space}.ProfilesService/Export`;

/** Mistakes in the second profile; each field makes one mistake. */
interface Mistake {
  readonly sampleAttributes?: readonly number[];
  readonly profileAttributes?: readonly number[];
  readonly stack?: number;
  readonly typeText?: number;
  /** Name and value of an attribute of the resource. */
  readonly resource?: readonly [name: string, value: string];
  /** Row of the string that is the name of a resource attribute. */
  readonly resourceName?: number;
  /** True to add a sample with a field that is longer than the sample. */
  readonly isCut?: boolean;
  /** Bytes of an unknown field, which make the request so large that a thread reads it. */
  readonly padding?: number;
}

type Layout = '1.8' | '1.10';

function encodeRequest(services: readonly string[], layout: Layout, mistake: Mistake): Uint8Array {
  const writer = new ProtobufWriter();
  const nested = (field: number, write: () => void): void => {
    const at = writer.begin(field);
    write();
    writer.end(at);
  };
  const packed = (field: number, values: readonly number[]): void =>
    nested(field, () => values.forEach((value) => writer.varint(value)));
  const string = (field: number, value: string): void =>
    writer.bytesField(field, Buffer.from(value));
  const attribute = (name: string, value: string): void =>
    nested(1, () => {
      string(1, name);
      nested(2, () => string(1, value));
    });
  for (const [i, service] of services.entries()) {
    const wrong: Mistake = i === 1 ? mistake : {};
    nested(1, () => {
      nested(1, () => {
        attribute('service.name', service);
        if (wrong.resource !== undefined) attribute(...wrong.resource);
        if (wrong.resourceName !== undefined) {
          nested(1, () => writer.uint(3, wrong.resourceName ?? 0));
        }
      });
      nested(2, () =>
        nested(2, () => {
          nested(1, () => {
            writer.uint(1, wrong.typeText ?? 1);
            writer.uint(2, 2);
          });
          nested(2, () => {
            writer.uint(1, wrong.stack ?? 1);
            const [attributes, values] = layout === '1.10' ? [2, 4] : [3, 2];
            packed(attributes, wrong.sampleAttributes ?? [1]);
            packed(values, [7]);
            if (wrong.isCut === true) writer.bytesField(15, Uint8Array.of(1));
          });
          if (wrong.isCut === true) writer.bytesField(2, Uint8Array.of(0x0a, 99));
          const time = new BigUint64Array([BigInt(from) * 1_000_000_000n]);
          writer.varint((3 << 3) | 1);
          writer.raw(new Uint8Array(time.buffer));
          writer.int64(4, 5_000_000_000n);
          packed(layout === '1.10' ? 11 : 12, wrong.profileAttributes ?? []);
        }),
      );
    });
  }
  nested(2, () => {
    const texts = ['', 'wall', 'nanoseconds', 'main', 'thread.name', 'worker'];
    for (const text of texts) string(5, text);
    for (const table of [1, 2, 3, 4, 6, 7]) nested(table, () => undefined);
    nested(2, () => nested(3, () => writer.uint(1, 1)));
    nested(3, () => writer.uint(1, 3));
    nested(6, () => {
      writer.uint(1, 4);
      nested(2, () => string(1, 'worker'));
    });
    // An attribute without a name.
    nested(6, () => nested(2, () => string(1, 'nameless')));
    nested(7, () => packed(1, [1]));
  });
  if (mistake.padding !== undefined) writer.bytesField(99, new Uint8Array(mistake.padding));
  return Uint8Array.from(writer.finish());
}

const long = 'x'.repeat(5_000);
/** Mistakes, with the number of profiles that are rejected and the expected message. */
const mistakes: readonly (readonly [Mistake, number, RegExp])[] = [
  [{}, 0, /^$/],
  [{ sampleAttributes: [0] }, 0, /attributes without a name: 1 left out/],
  [{ sampleAttributes: [1, 2] }, 0, /attributes without a name: 1 left out/],
  [{ profileAttributes: [0, 2] }, 0, /attributes without a name: 2 left out/],
  [{ resource: ['', 'v'] }, 0, /attributes without a name: 1 left out/],
  [{ sampleAttributes: [77] }, 1, /profile 1 of the request: the dictionary has no attribute 77/],
  [{ profileAttributes: [77] }, 1, /profile 1 of the request: the dictionary has no attribute 77/],
  [{ stack: 77 }, 1, /profile 1 of the request: the dictionary has no stack 77/],
  [{ typeText: 77 }, 1, /profile 1 of the request: the dictionary has no string 77/],
  [{ resourceName: 77 }, 1, /profile 1 of the request: the dictionary has no string 77/],
  [{ resource: ['long', long] }, 1, /5000 bytes|too long|limit/],
  [{ padding: 1_200_000 }, 0, /^$/],
  [
    { padding: 1_200_000, stack: 77 },
    1,
    /profile 1 of the request: the dictionary has no stack 77/,
  ],
  [{ isCut: true }, 1, /profile 1 of the request: .*byte/],
];

/** Reads rejected_profiles and error_message from an answer. */
function readAnswer(bytes: Uint8Array): { readonly count: number; readonly message: string } {
  if (bytes.length === 0) return { count: 0, message: '' };
  const text = Buffer.from(bytes).toString();
  const isCounted = bytes[bytes[1] > 127 ? 3 : 2] === 0x08;
  const start = text.search(/attributes|cannot|label|series/);
  return { count: isCounted ? 1 : 0, message: start === -1 ? text : text.slice(start) };
}

test('one wrong profile among three costs at most that one', { timeout: 120_000 }, async (t) => {
  const folder = await scratchDirectory();
  const server = await startServer({ storagePath: join(folder.path, 'data') });
  const client = connect(server.address);
  t.after(async () => {
    client.close();
    await server.stop();
    await folder.remove();
  });
  const byHttp = async (request: Uint8Array): Promise<Uint8Array> => {
    const answer = await fetch(`${server.url}/v1development/profiles`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-protobuf' },
      body: Uint8Array.from(request),
    });
    assert.equal(answer.status, 200, await answer.clone().text());
    return new Uint8Array(await answer.arrayBuffer());
  };
  const transports = {
    http: byHttp,
    grpc: (request: Uint8Array) => unary(client, exportPath, request),
  };
  for (const [transport, send] of Object.entries(transports)) {
    for (const layout of ['1.8', '1.10'] as const) {
      for (const [i, [mistake, count, why]] of mistakes.entries()) {
        const names = ['a', 'b', 'c'].map((name) => `${transport}-${layout}-${i}-${name}`);
        const answer = readAnswer(await send(encodeRequest(names, layout, mistake)));
        const what = `${names[0]}: ${JSON.stringify(mistake).slice(0, 99)}`;
        assert.equal(answer.count, count, `${what} ${answer.message}`);
        assert.match(answer.message, why, what);
        const matcher = `service_name=~"${transport}-${layout}-${i}-."`;
        const parameters = new URLSearchParams({
          query: `wall{${matcher}}`,
          start: String(from - 60),
          end: String(from + 60),
          format: 'collapsed',
        });
        const found = await (await fetch(`${server.url}/api/v1/export?${parameters}`)).text();
        const sum = [...found.matchAll(/ (\d+)$/gm)].reduce((all, [, n]) => all + Number(n), 0);
        assert.equal(sum, 7 * (3 - count), `${what}: ${found}`);
      }
    }
  }
});
