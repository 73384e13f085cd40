// Imports pushed files. All but tiny text files are read in a thread, so that other requests are
// not delayed.
import type { Clock } from '../../base/clock.ts';
import { AppError, errorCode, errorMessage } from '../../base/errors.ts';
import { importHereBytesMax } from '../limits.ts';
import {
  type FileImport,
  importedBytes,
  type ImportedFile,
  importFile,
  type ImportInThread,
} from '../../formats/import/import-file.ts';
import { recognise } from '../../formats/import/import-profile.ts';
import { isGperftoolsCpu } from '../../formats/gperftools/decode-cpu.ts';
import { isJfr } from '../../formats/jfr/chunks.ts';
import type { TransportContext } from '../transport/call/call.ts';
import type { CallContext } from '../transport/call/method.ts';
import { isText } from '../../formats/is-text.ts';
import { readPprofFacts } from './pprof-facts.ts';

/** Content type that curl sets for data that is sent with -d. */
const formType = 'application/x-www-form-urlencoded';
/** Matches a count that is directly followed by the first frame of the next line. */
const joinedForm = /\s\d+[^\d\s;.][^;\n]*;/;
const joinedBytesMax = 4_096;

/**
 * Imports a file that was sent with `contentType`.
 *
 * Errors: as in `importInThread`; AppError 'invalid-argument' for text that lost its line breaks
 * because it was sent with `curl -d`.
 */
export async function importPushed(
  file: FileImport,
  contentType: string,
  importInThread: ImportInThread,
  { runner: { clock } }: Pick<TransportContext, 'runner'>,
  context: Pick<CallContext, 'signal' | 'caller'>,
): Promise<ImportedFile> {
  const isForm = contentType.startsWith(formType);
  if (isForm && hasJoinedLines(file.content)) {
    throw new AppError('invalid-argument', `cannot read profile: it has one line; ${formRemedy}`);
  }
  const { content } = file;
  // Files in other formats, such as pprof, are stored without a conversion.
  const isForeign = isText(content) || isGperftoolsCpu(content) || isJfr(content);
  const isConverted = isForeign || file.context.earlier !== undefined;
  const isLarge = importedBytes(file) > importHereBytesMax;
  try {
    if (!isConverted) return importFile(await withPprofFacts(file, clock));
    if (isLarge) return await importInThread(file, context.signal, context.caller);
    return importFile(file);
  } catch (error) {
    if (!isForm || errorCode(error) !== 'invalid-argument') throw error;
    const why = `${errorMessage(error)} (${formRemedy})`;
    throw new AppError('invalid-argument', why, { cause: error });
  }
}

/** Reads the facts of a large pprof file in slices before it is imported. */
async function withPprofFacts(file: FileImport, clock: Clock): Promise<FileImport> {
  const { content, context } = file;
  if (content.length <= importHereBytesMax) return file;
  const format = file.format ?? recognise(content).format;
  if (format !== 'pprof') return file;
  const { head, name } = await readPprofFacts(content, clock, context.name);
  return { content, format, context: { ...context, name, pprofHead: head } };
}

const formRemedy = 'curl -d removes the ends of lines: send the file with --data-binary';

function hasJoinedLines(content: Uint8Array): boolean {
  if (content.includes(0x0a) || !isText(content)) return false;
  return joinedForm.test(new TextDecoder().decode(content.subarray(0, joinedBytesMax)));
}
