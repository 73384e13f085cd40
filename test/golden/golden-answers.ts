// Encodes and decodes the answers to queries on a golden data directory: a file with one line of
// JSON for each query.
import type { TimeRange } from '../../src/storage/interface.ts';

/** A query for a time range and a label value, and the expected answer. */
export interface GoldenAnswer {
  /** Value of the label `instance` to select; undefined for all series. */
  readonly instance: string | undefined;
  readonly range: TimeRange;
  /** Values of the label `instance` in the answer, sorted. */
  readonly instances: readonly string[];
  /**
   * Profiles as strings, one for each sample type, as src/storage/fake/recipes.ts writes them;
   * sorted.
   */
  readonly texts: readonly string[];
}

export function encodeAnswers(answers: readonly GoldenAnswer[]): string {
  const lines = answers.map(({ range, ...rest }) =>
    JSON.stringify({ ...rest, from: `${range.from}`, to: `${range.to}` }),
  );
  return `${lines.join('\n')}\n`;
}

export function decodeAnswers(text: string): GoldenAnswer[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { from, to, ...rest }: Omit<GoldenAnswer, 'range'> & { from: string; to: string } =
        JSON.parse(line);
      return { ...rest, range: { from: BigInt(from), to: BigInt(to) } };
    });
}
