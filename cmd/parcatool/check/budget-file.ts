// Reads a budget from a YAML file.
import { AppError } from '../../../src/base/errors.ts';
import type { Files } from '../../../src/base/files.ts';
import { ConfigDocument, readConfigText } from '../../../src/config/schema/document.ts';
import {
  boolean,
  list,
  nonEmptyText,
  optional,
  type Reader,
  readWord,
  record,
  type RecordOf,
  refine,
  refuse,
  required,
  text,
} from '../../../src/config/schema/read.ts';
import { compilePattern } from '../../../src/model/pattern.ts';
import { parsePercent, type Scaling, scalings } from '../shared/check-options.ts';
import { type BudgetRule, ruleKinds } from './budget.ts';

/** Content of a file: rules, and settings that flags override. */
export interface BudgetFile {
  readonly rules: readonly BudgetRule[];
  readonly scaling: Scaling | undefined;
  readonly alpha: number | undefined;
  readonly runNoise: number | undefined;
}

/** Maximum size of a file in bytes. A thousand rules take a tenth of this. */
const fileBytesMax = 1 << 20;

/** Share of the total below which increases are allowed, if a rule has no `min_cost`. */
const costMin = 0.01;

const percent: Reader<number> = refine(text, (written, place) => {
  const share = parsePercent(written);
  return share ?? refuse(place, 'a percentage such as 3%');
});

const alpha: Reader<number> = refine(percent, (share, place) =>
  share > 0 && share < 0.5 ? share : refuse(place, 'a percentage above 0% and below 50%'),
);

/** Pattern for names. */
interface NamePattern {
  readonly text: string;
  matches(name: string): boolean;
}

/** An RE2 expression that must match the whole name, as in Prometheus. */
const pattern: Reader<NamePattern> = refine(nonEmptyText, (written) => {
  const expression = compilePattern(written, 'of match');
  return { text: written, matches: (name) => expression.testExact(name) };
});

const everyName: NamePattern = { text: '', matches: () => true };

const ruleFields = {
  kind: required(readWord(ruleKinds)),
  match: optional(pattern, everyName),
  measure: optional(readWord(['flat', 'cumulative']), 'flat'),
  max_increase: optional(percent, undefined),
  max_share: optional(percent, undefined),
  min_cost: optional(percent, costMin),
  ignore: optional(boolean, false),
};

const limitKeys = ['max_increase', 'max_share'] as const;

const rule: Reader<BudgetRule> = refine(
  record(ruleFields, [], (given, place) => {
    const has = (key: string): boolean => place.find(key)?.isEmpty() === false;
    if (given.ignore === true) {
      for (const key of limitKeys) {
        if (has(key)) place.find(key)?.report('a rule with ignore cannot have it');
      }
    } else if (!limitKeys.some(has)) {
      place.report('max_increase, max_share or ignore is missing');
    }
    if (given.kind === 'total' && has('match')) {
      place.find('match')?.report('there is one total: a rule about it cannot have it');
    }
    if (given.kind === 'total' && has('max_share')) {
      place.find('max_share')?.report('the total is all of it: a rule about it cannot have it');
    }
    if (given.kind !== 'function' && has('measure')) {
      place.find('measure')?.report('only rules about functions can have it');
    }
  }),
  (keys: RecordOf<typeof ruleFields>) => ({
    kind: keys.kind,
    pattern: keys.match.text,
    matches: keys.match.matches,
    measure: keys.measure,
    increaseMax: keys.max_increase,
    costMin: keys.min_cost,
    shareMax: keys.max_share,
  }),
);

const budgetFile: Reader<BudgetFile> = refine(
  record({
    alpha: optional(alpha, undefined),
    run_noise: optional(percent, undefined),
    scale: optional(readWord(scalings), undefined),
    rules: required(list(rule)),
  }),
  (keys) => ({
    rules: keys.rules,
    scaling: keys.scale,
    alpha: keys.alpha,
    runNoise: keys.run_noise,
  }),
);

/**
 * Reads a file. Errors: ConfigError with all mistakes; AppErrors of readConfigText; AppError
 * 'resource-exhausted' for a file that is too large.
 */
export async function readBudgetFile(
  path: string,
  files: Pick<Files, 'read'>,
): Promise<BudgetFile> {
  const content = await readConfigText(path, 'budget', files);
  if (content.length > fileBytesMax) {
    const why = `it has ${content.length} bytes, the limit is ${fileBytesMax}`;
    throw new AppError('resource-exhausted', `cannot read budget ${path}: ${why}`);
  }
  const nothing = { rules: [], scaling: undefined, alpha: undefined, runNoise: undefined };
  return new ConfigDocument(content, path, budgetFile, nothing).content();
}
