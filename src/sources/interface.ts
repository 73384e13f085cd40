// The interface of source files: queries request the content of a file of one build.

/**
 * Content of a source file, or the reason why there is none: "" if a source does not know the
 * build.
 */
export type SourceAnswer =
  | { readonly text: string; readonly reason?: undefined }
  | { readonly text?: undefined; readonly reason: string };

/** A provider of source files. */
export interface SourceReader {
  /**
   * Reads a file by the build id and the file name of a frame.
   *
   * Errors: AppError if it cannot be read, such as 'data-loss'.
   */
  readSource(buildId: string, fileName: string, signal: AbortSignal): Promise<SourceAnswer>;
}

/** A server without sources. */
export const noSources: SourceReader = {
  readSource: async () => ({ reason: 'no sources for this build id have been uploaded' }),
};

/**
 * Returns a reader that gives the first content that any of several readers has, or else all their
 * reasons.
 */
export function readFirst(readers: readonly SourceReader[]): SourceReader {
  return {
    async readSource(buildId, fileName, signal) {
      const reasons: string[] = [];
      for (const reader of readers) {
        const answer = await reader.readSource(buildId, fileName, signal);
        if (answer.text !== undefined) return answer;
        if (answer.reason !== '') reasons.push(answer.reason);
      }
      return { reason: reasons.join('; ') };
    },
  };
}
