// The schema of one entry of `relabel_configs`.
import { stringify, visit } from 'yaml';
import { patternSizeMax } from '../../base/limits.ts';
import { patternSize } from '../../model/pattern.ts';
import {
  createRelabeling,
  relabelActions,
  relabelDefaults,
  relabelMistake,
  type RelabelAction,
  type RelabelRule,
} from '../../model/relabel.ts';
import { ConfigDocument } from './document.ts';
import {
  labelName,
  integer,
  invalid,
  list,
  optional,
  record,
  refine,
  refuse,
  text,
  type Reader,
} from './read.ts';

/** Reads an action, which may be written in upper or lower case, as in Prometheus. */
const action: Reader<RelabelAction> = refine(text, (given, place) => {
  const known = relabelActions.find((it) => it === given.toLowerCase());
  return known ?? refuse(place, `one of ${relabelActions.join(', ')}`);
});

/**
 * Reads a regular expression. If it does not compile, createRelabeling throws an error with the
 * reason.
 */
const regex: Reader<string> = refine(text, (given) => {
  createRelabeling([{ ...relabelDefaults, regex: given }], () => new Uint8Array(16));
  return given;
});

/**
 * Reads a regular expression of an untrusted user. Its size is limited, because a few characters
 * can compile to a million steps.
 */
const smallRegex: Reader<string> = refine(text, (given, place) =>
  patternSize(given) > patternSizeMax
    ? refuse(place, `an expression of at most ${patternSizeMax} steps`)
    : regex(place),
);

/** Schema of one entry of `relabel_configs`. */
export const relabelRule = ruleReader(regex);

const smallRules = list(ruleReader(smallRegex));

/**
 * Reads the rules of an untrusted user. Aliases are refused, because a few of them can expand to
 * more rules than could be read in an hour.
 */
const testedRules: typeof smallRules = (place) => {
  let offset: number | undefined;
  visit(place.source.document, {
    Alias: (_key, { range }) => {
      offset = range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  if (offset === undefined) return smallRules(place);
  place.report('expected rules without aliases', offset);
  return invalid;
};

/**
 * Reads a list of rules in YAML that somebody wants to test. `file` is the list's name in messages.
 *
 * Errors: ConfigError with all mistakes.
 */
export function parseTestedRules(yaml: string, file: string): readonly RelabelRule[] {
  return new ConfigDocument(yaml, file, testedRules, []).content();
}

/**
 * Prints rules in the form of `relabel_configs`. Keys that have their default value are left out.
 */
export function printRelabelRules(rules: readonly RelabelRule[]): string {
  return rules.length === 0 ? '' : stringify(rules.map(withoutDefaults), { lineWidth: 0 });
}

function withoutDefaults(rule: RelabelRule): object {
  const { action: name, sourceLabels, separator, modulus, targetLabel, replacement } = rule;
  const { regex: usualRegex, ...usual } = relabelDefaults;
  return {
    ...(sourceLabels.length > 0 && { source_labels: sourceLabels }),
    ...(separator !== usual.separator && { separator }),
    ...(rule.regex !== usualRegex && { regex: rule.regex }),
    ...(modulus !== usual.modulus && { modulus: Number(modulus) }),
    ...(targetLabel !== usual.targetLabel && { target_label: targetLabel }),
    ...(replacement !== usual.replacement && { replacement }),
    ...(name !== usual.action && { action: name }),
  };
}

function ruleReader(readRegex: Reader<string>): Reader<RelabelRule> {
  return refine(
    record(
      {
        action: optional(action, relabelDefaults.action),
        source_labels: optional(list(labelName), relabelDefaults.sourceLabels),
        separator: optional(text, relabelDefaults.separator),
        regex: optional(readRegex, relabelDefaults.regex),
        modulus: optional(integer(1, Number.MAX_SAFE_INTEGER), Number(relabelDefaults.modulus)),
        target_label: optional(text, relabelDefaults.targetLabel),
        replacement: optional(text, relabelDefaults.replacement),
      },
      [],
      (given, place) => {
        // A rule cannot be checked without its action; an unknown key may be a misspelled `action`.
        const keys = place.entries()?.map(({ key }) => key) ?? [];
        if (given.action === undefined || keys.some((key) => !(key in stopgap))) return;
        const mistake = relabelMistake(makeRule({ ...stopgap, ...given }));
        if (mistake !== undefined) place.at(mistake.key).report(mistake.why);
      },
    ),
    makeRule,
  );
}

interface GivenRule {
  readonly action: RelabelAction;
  readonly source_labels: readonly string[];
  readonly separator: string;
  readonly regex: string;
  readonly modulus: number;
  readonly target_label: string;
  readonly replacement: string;
}

/** Values that replace unreadable keys during the check, so that each mistake is reported once. */
const stopgap: GivenRule = {
  action: relabelDefaults.action,
  source_labels: relabelDefaults.sourceLabels,
  separator: relabelDefaults.separator,
  regex: relabelDefaults.regex,
  modulus: 1,
  target_label: 'any',
  replacement: relabelDefaults.replacement,
};

function makeRule(given: GivenRule): RelabelRule {
  return {
    action: given.action,
    sourceLabels: given.source_labels,
    separator: given.separator,
    regex: given.regex,
    modulus: BigInt(given.modulus),
    targetLabel: given.target_label,
    replacement: given.replacement,
  };
}
