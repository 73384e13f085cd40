// Interface through which queries request the source files of a build.
import { Flights } from '../base/flights.ts';

/**
 * Content of a source file, or the reason why there is no content. The reason is "" if the build is
 * unknown.
 */
export type SourceAnswer =
  | { readonly text: string; readonly reason?: undefined }
  | { readonly text?: undefined; readonly reason: string };

/** A provider of source files. */
export interface SourceReader {
  /**
   * Reads a file by the build id and the file name of a frame. `caller` is the id of the caller, so
   * that callers take fair turns with long reads; absent = no caller.
   *
   * Errors: AppError if it cannot be read, such as 'data-loss'.
   */
  readSource(
    buildId: string,
    fileName: string,
    signal: AbortSignal,
    caller?: string,
  ): Promise<SourceAnswer>;
}

/** A server without sources. */
export const noSources: SourceReader = {
  readSource: async () => ({ reason: 'no sources for this build id have been uploaded' }),
};

/**
 * Returns a reader that tries several readers in order. It returns the first content, or the
 * reasons of all readers if none has the file. Callers that want the same file at the same time
 * share one search. The search uses the turn of the first caller, and is aborted when the last
 * caller leaves.
 */
export function readFirst(readers: readonly SourceReader[]): SourceReader {
  const searches = new Flights<string, SourceAnswer>();
  return {
    readSource: (buildId, fileName, signal, caller) =>
      searches.join(`${buildId} ${fileName}`, signal, (wanted) =>
        search(readers, buildId, fileName, wanted, caller),
      ),
  };
}

async function search(
  readers: readonly SourceReader[],
  buildId: string,
  fileName: string,
  signal: AbortSignal,
  caller: string | undefined,
): Promise<SourceAnswer> {
  const reasons: string[] = [];
  for (const reader of readers) {
    const answer = await reader.readSource(buildId, fileName, signal, caller);
    signal.throwIfAborted();
    if (answer.text !== undefined) return answer;
    if (answer.reason !== '') reasons.push(answer.reason);
  }
  return { reason: reasons.join('; ') };
}
