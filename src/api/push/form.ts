// Forms of clients (multipart/form-data), looked over before they are parsed: 64 MiB of empty parts
// took 10 s of CPU and a gigabyte.
import { AppError, errorMessage } from '../../base/errors.ts';
import { formHeaderBytesMax, formPartsMax } from '../../base/limits.ts';

const boundaryForm = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))\s*(?:;|$)/i;
const headerEnd = '\r\n\r\n';

/** Reads a form. Errors: AppError 'invalid-argument', also for too many parts or long headers. */
export async function readForm(body: Uint8Array, contentType: string): Promise<FormData> {
  const match = boundaryForm.exec(contentType);
  const boundary = match?.[1] ?? match?.[2];
  if (boundary === undefined) throw invalid('its content type has no boundary');
  checkParts(Buffer.from(body.buffer, body.byteOffset, body.length), `--${boundary}`);
  // The parser is told what was looked for here.
  const headers = { 'content-type': `multipart/form-data; boundary="${boundary}"` };
  try {
    return await new Response(Uint8Array.from(body), { headers }).formData();
  } catch (error) {
    throw new AppError('invalid-argument', `cannot read form: ${errorMessage(error)}`, {
      cause: error,
    });
  }
}

function checkParts(body: Buffer, delimiter: string): void {
  let parts = 0;
  for (let at = body.indexOf(delimiter); at !== -1; at = body.indexOf(delimiter, at)) {
    at += delimiter.length;
    // After the last part.
    if (body.subarray(at, at + 2).toString('latin1') === '--') return;
    parts += 1;
    if (parts > formPartsMax) throw invalid(`it has more than ${formPartsMax} parts`);
    if (!body.subarray(at, at + formHeaderBytesMax).includes(headerEnd)) {
      throw invalid(`headers of part ${parts} do not end within ${formHeaderBytesMax} bytes`);
    }
  }
}

function invalid(why: string): AppError {
  return new AppError('invalid-argument', `cannot read form: ${why}`);
}
