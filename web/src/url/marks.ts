// Parses and prints the user's own marks in the URL: "1800000000000:rollout,1800000060000:".

/** A time with a name, which may be empty. */
export interface Mark {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly name: string;
}

/** Maximum number of marks in a URL; one more mark replaces the oldest. */
export const marksMax = 12;
const nameLengthMax = 40;

/** Parses marks in order of time; undefined if a mark is malformed. */
export function parseMarks(text: string): readonly Mark[] | undefined {
  const marks: Mark[] = [];
  for (const part of text.split(',')) {
    const [, at, name] = /^(\d{1,15}):(.{0,40})$/u.exec(part) ?? [];
    if (at === undefined || name === undefined) return undefined;
    marks.push({ at: Number(at), name });
  }
  return marks.length > marksMax ? undefined : sorted(marks);
}

export function printMarks(marks: readonly Mark[]): string {
  return marks.map(({ at, name }) => `${at}:${name}`).join(',');
}

/** Converts typed text to a name without commas, which separate marks in the URL. */
export function cleanName(text: string): string {
  const plain = text.replace(/[\s,]+/g, ' ').trim();
  return Array.from(plain).slice(0, nameLengthMax).join('').trim();
}

/** Adds a mark without a name, unless there is a mark at this time. */
export function withMark(marks: readonly Mark[], at: number): readonly Mark[] {
  if (marks.some((mark) => mark.at === at)) return marks;
  return sorted([...marks.slice(marks.length < marksMax ? 0 : 1), { at, name: '' }]);
}

export function without(marks: readonly Mark[], at: number): readonly Mark[] {
  return marks.filter((mark) => mark.at !== at);
}

/** Renames the mark at a time. */
export function named(marks: readonly Mark[], at: number, name: string): readonly Mark[] {
  return marks.map((mark) => (mark.at === at ? { at, name } : mark));
}

function sorted(marks: readonly Mark[]): readonly Mark[] {
  return [...marks].sort((a, b) => a.at - b.at);
}
