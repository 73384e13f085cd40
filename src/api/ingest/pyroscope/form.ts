// Reads forms of clients (multipart/form-data) as views of their bytes. Node's own reader blocks
// the main thread for 0.3 s for 24 MB, and needs 10 s and a gigabyte of memory for 64 MiB of empty
// parts.
import { AppError } from '../../../base/errors.ts';
import type { Steps } from '../../../base/pacer.ts';
import { formHeaderBytesMax, formPartsMax } from '../../limits.ts';

const boundaryForm = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))\s*(?:;|$)/i;
const lineEnd = '\r\n';
const headerEnd = '\r\n\r\n';
const dispositionForm = /^content-disposition:\s*form-data\s*;(.*)$/im;
const nameForm = /(?:^|;)\s*name="([^"]*)"/i;

/** Parts by name, in the order of the form. */
export type Form = ReadonlyMap<string, readonly Uint8Array[]>;

/** Number of bytes that are searched between two pauses. */
export const formStepBytes = 1 << 20;

/**
 * Reads a form, with pauses. The parts are views of `body`.
 *
 * Errors: AppError 'invalid-argument', also for too many parts or long headers.
 */
export function* readForm(body: Uint8Array, contentType: string): Steps<Form> {
  const match = boundaryForm.exec(contentType);
  const boundary = match?.[1] ?? match?.[2];
  if (boundary === undefined) throw invalid('its content type has no boundary');
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  const delimiter = `${lineEnd}--${boundary}`;
  const form = new Map<string, Uint8Array[]>();
  let at = yield* findStart(bytes, delimiter);
  for (let parts = 1; ; parts += 1) {
    const after = bytes.toString('latin1', at, at + 2);
    if (after === '--') return form;
    if (after !== lineEnd) throw invalid(`part ${parts} does not begin with a new line`);
    if (parts > formPartsMax) throw invalid(`it has more than ${formPartsMax} parts`);
    // The search starts at the end of the previous line, so that it also finds the end of empty
    // headers.
    const headers = bytes.subarray(at, at + formHeaderBytesMax);
    const length = headers.indexOf(headerEnd);
    if (length === -1) {
      throw invalid(`headers of part ${parts} do not end within ${formHeaderBytesMax} bytes`);
    }
    const start = at + length + headerEnd.length;
    const end = yield* find(bytes, delimiter, start);
    if (end === -1) throw invalid(`part ${parts} has no end`);
    const name = parseName(headers.toString('utf8', lineEnd.length, length));
    if (name === undefined) throw invalid(`part ${parts} has no name`);
    const content = bytes.subarray(start, end);
    const known = form.get(name);
    if (known === undefined) form.set(name, [content]);
    else known.push(content);
    at = end + delimiter.length;
  }
}

/** Returns the offset after the first delimiter, which may be at the start of the body. */
function* findStart(bytes: Buffer, delimiter: string): Steps<number> {
  const bare = delimiter.slice(lineEnd.length);
  if (bytes.toString('latin1', 0, bare.length) === bare) return bare.length;
  const found = yield* find(bytes, delimiter, 0);
  if (found === -1) throw invalid('it does not have the boundary of its content type');
  return found + delimiter.length;
}

/** Returns the offset of a string at or after the offset `from`; -1 if it is not found. */
function* find(bytes: Buffer, text: string, from: number): Steps<number> {
  for (let at = from; at < bytes.length; at += formStepBytes) {
    if (at > from) yield;
    // A match may begin at the last byte of a step.
    const found = bytes.subarray(at, at + formStepBytes + text.length - 1).indexOf(text);
    if (found !== -1) return at + found;
  }
  return -1;
}

/** Returns the name of a part. Browsers and Node escape only line breaks and quotes. */
function parseName(headers: string): string | undefined {
  const name = nameForm.exec(dispositionForm.exec(headers)?.[1] ?? '')?.[1];
  return name?.replace(/%(?:0A|0D|22)/gi, decodeURIComponent);
}

function invalid(why: string): AppError {
  return new AppError('invalid-argument', `cannot read form: ${why}`);
}
