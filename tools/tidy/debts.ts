// Files that break a tidy rule for now. The list may only become shorter. After fixing a file, run
// `node tools/tidy/settle.ts`, which removes its entry and prints the others.

export interface Debt {
  readonly rule: string;
  readonly path: string;
  readonly reason: string;
}

/** Files that were written before the English rules, and the rules that each breaks. */
const wording = `
`;

export const debts: readonly Debt[] = wording
  .split('\n')
  .filter((line) => line !== '')
  .flatMap((line) => {
    const [path, ...rules] = line.split(' ');
    const reason = 'was written before the rule; whoever owns the folder puts it right';
    return rules.map((rule) => ({ rule, path, reason }));
  });
