// Makes OTLP requests of a fictitious program, whose samples have times.
import { ProtobufWriter } from '../../../src/formats/protobuf-writer.ts';

/** Nanoseconds of CPU time of each sample. */
export const samplePeriod = 10_000_000;

/** A sample of the program; its time is in milliseconds after the start. */
export interface TimedEvent {
  readonly at: number;
  readonly stack: 'steady' | 'burst';
  readonly thread: '1' | '2';
}

/**
 * Returns an OTLP request with a 10 s profile of the service `timed` that starts `from`
 * milliseconds after `start`.
 */
export function timedRequest(
  events: readonly TimedEvent[],
  start: number,
  from: number,
): Uint8Array {
  const writer = new ProtobufWriter();
  const nested = (field: number, write: () => void): void => {
    const at = writer.begin(field);
    write();
    writer.end(at);
  };
  const string = (field: number, value: string): void =>
    writer.bytesField(field, Buffer.from(value));
  const fixed = (field: number, values: readonly bigint[]): void =>
    writer.bytesField(field, new Uint8Array(BigUint64Array.from(values).buffer));
  const nanos = (at: number): bigint => BigInt(start + at) * 1_000_000n;
  const own = events.filter(({ at }) => at >= from && at < from + 10_000);
  nested(1, () => {
    nested(1, () =>
      nested(1, () => {
        string(1, 'service.name');
        nested(2, () => string(1, 'timed'));
      }),
    );
    nested(2, () =>
      nested(2, () => {
        nested(1, () => {
          writer.uint(1, 1);
          writer.uint(2, 2);
        });
        for (const [row, samples] of Map.groupBy(own, ({ stack }) =>
          stack === 'steady' ? 1 : 2,
        )) {
          nested(2, () => {
            writer.uint(1, row);
            nested(2, () => writer.varint(row));
            fixed(
              5,
              samples.map(({ at }) => nanos(at)),
            );
          });
        }
        writer.varint((3 << 3) | 1);
        writer.raw(new Uint8Array(BigUint64Array.of(nanos(from)).buffer));
        writer.int64(4, 10_000_000_000n);
        nested(5, () => {
          writer.uint(1, 3);
          writer.uint(2, 4);
        });
        writer.int64(6, BigInt(samplePeriod));
      }),
    );
  });
  writeDictionary(writer, nested, string);
  return writer.finish().slice();
}

/** Writes the tables of the request: two stacks, and the threads of samples. */
function writeDictionary(
  writer: ProtobufWriter,
  nested: (field: number, write: () => void) => void,
  string: (field: number, value: string) => void,
): void {
  nested(2, () => {
    for (const name of [0, 5, 6]) nested(3, () => (name > 0 ? writer.uint(1, name) : undefined));
    for (const row of [0, 1, 2]) {
      nested(2, () => (row > 0 ? nested(3, () => writer.uint(1, row)) : undefined));
    }
    const strings = ['', 'samples', 'count', 'cpu', 'nanoseconds', 'steady', 'burst', 'thread.id'];
    for (const text of strings) string(5, text);
    for (const value of ['', '1', '2']) {
      nested(6, () => {
        if (value === '') return;
        writer.uint(1, 7);
        nested(2, () => string(1, value));
      });
    }
    for (const row of [0, 1, 2]) {
      nested(7, () => (row > 0 ? nested(1, () => writer.varint(row)) : undefined));
    }
  });
}
