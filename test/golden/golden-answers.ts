// The file of answers to a golden data directory: one line of JSON for each question.
import type { TimeRange } from '../../src/storage/interface.ts';

/** A question by a range and a label, and what is to be answered. */
export interface GoldenAnswer {
  /** Value of the label `instance`; undefined: every series. */
  readonly instance: string | undefined;
  readonly range: TimeRange;
  /** Values of the label in the answer, sorted. */
  readonly instances: readonly string[];
  /**
   * The profiles, a string for each sample type as src/storage/fake/recipes.ts writes it; sorted.
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
