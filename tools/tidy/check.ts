// Runs all tidy rules over the checkout.
import { debts } from './debts.ts';
import { fileRules, type Finding } from './file-rules.ts';
import type { SourceFile } from './files.ts';
import { lineRules } from './line-rules.ts';
import { wordRules } from './prose-rules.ts';

/** Returns all findings, including debts. */
export function findAll(files: readonly SourceFile[]): Finding[] {
  const findings: Finding[] = fileRules.flatMap(({ name, check }) =>
    check(files).map((found) => ({ rule: name, ...found })),
  );
  for (const file of files) {
    const rules = [...lineRules, ...wordRules].filter((rule) => rule.appliesTo(file.path));
    if (rules.length === 0) continue;
    for (const [i, line] of file.text().split('\n').entries()) {
      for (const { name, pattern, instead } of rules) {
        if (!pattern.test(line)) continue;
        findings.push({ rule: name, place: `${file.path}:${i + 1}`, message: instead });
      }
    }
  }
  return findings;
}

/** Returns true if a finding is listed in tools/tidy/debts.ts. */
export function isDebt({ rule, place }: Finding): boolean {
  return debts.some((debt) => debt.rule === rule && stripLine(place) === debt.path);
}

/** Returns the path in "path:line". */
export function stripLine(place: string): string {
  return place.replace(/:\d+$/, '');
}
