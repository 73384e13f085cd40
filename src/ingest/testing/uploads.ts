// Small pprof uploads, for tests.
import { ProtobufWriter } from '../../formats/protobuf-writer.ts';
import type { Label } from '../../model/labels.ts';
import type { ProfileUpload } from '../interface.ts';

/**
 * A sample of a test profile: its stack (leaf first), its values, and its labels as [key, string or
 * number, unit].
 */
export interface TestSample {
  readonly stack: readonly string[];
  readonly values: readonly bigint[];
  readonly labels?: readonly (readonly [string, string | number, string?])[];
}

/** A test profile. By default, each function has an address and a line of its own. */
export interface TestProfile {
  readonly samples: readonly TestSample[];
  readonly types?: readonly string[];
  readonly buildId?: string;
  readonly timeNanos?: bigint;
  /** Address and line of each function; by default, both are the same number. */
  readonly addressOf?: (name: string) => number;
  readonly lineOf?: (name: string) => number;
}

/** Returns a number that depends only on the function's name. */
const charCodes = (name: string): number =>
  Array.from(name).reduce((sum, char) => sum * 31 + char.charCodeAt(0), 7) % 100_000;

/** Encodes a profile as pprof without gzip. */
export function encode(profile: TestProfile): Uint8Array {
  const writer = new ProtobufWriter();
  const strings = new Map<string, number>([['', 0]]);
  const text = (value: string): number => {
    if (!strings.has(value)) strings.set(value, strings.size);
    return strings.get(value) ?? 0;
  };
  const message = (field: number, write: () => void): void => {
    const nested = writer.begin(field);
    write();
    writer.end(nested);
  };
  for (const type of profile.types ?? ['samples']) {
    message(1, () => {
      writer.uint(1, text(type));
      writer.uint(2, text('count'));
    });
  }
  const functions: string[] = [];
  for (const { stack, values, labels } of profile.samples) {
    message(2, () => {
      for (const name of stack) {
        if (!functions.includes(name)) functions.push(name);
        writer.uint(1, functions.indexOf(name) + 1);
      }
      message(2, () => values.forEach((value) => writer.varint64(value)));
      for (const [key, value, unit] of labels ?? []) {
        message(3, () => {
          writer.uint(1, text(key));
          if (typeof value === 'string') writer.uint(2, text(value));
          else writer.uint(3, value);
          writer.uint(4, text(unit ?? ''));
        });
      }
    });
  }
  message(3, () => {
    writer.uint(1, 1);
    writer.uint(6, text(profile.buildId ?? ''));
  });
  functions.forEach((name, i) => {
    message(4, () => {
      writer.uint(1, i + 1);
      writer.uint(2, 1);
      writer.uint(3, (profile.addressOf ?? charCodes)(name));
      message(4, () => {
        writer.uint(1, i + 1);
        writer.uint(2, (profile.lineOf ?? charCodes)(name));
      });
    });
    message(5, () => {
      writer.uint(1, i + 1);
      writer.uint(2, text(name));
    });
  });
  writer.int64(9, profile.timeNanos ?? 0n);
  writer.int64(10, 5n);
  writer.int64(12, 100n);
  for (const value of strings.keys()) writer.bytesField(6, Buffer.from(value));
  return writer.finish();
}

/** Labels of the series, unless a test states others. */
const jobLabels: readonly Label[] = [
  { name: 'job', value: 'api' },
  { name: '__name__', value: 'process_cpu' },
];

/** Makes an upload from a test profile, or from bytes. */
export function upload(profile: TestProfile | Uint8Array, labels = jobLabels): ProfileUpload {
  return { labels, profile: profile instanceof Uint8Array ? profile : encode(profile) };
}
