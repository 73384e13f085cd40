// Files that break a tidy rule and are left for now. The list may only get shorter: whoever pays
// one runs `node tools/tidy/settle.ts`, which takes it out and prints what is left.

export interface Debt {
  readonly rule: string;
  readonly path: string;
  readonly reason: string;
}

/** Files and the rules of English that each breaks, written before there were such rules. */
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
