// Relabeling: rules that rewrite, keep or drop a target by its labels, as in Prometheus.
import { RE2JS } from 're2js';
import { AppError, errorMessage } from '../base/errors.ts';
import { relabelValueCharactersMax } from './limits.ts';
import { isLabelName } from './labels.ts';

export const relabelActions = [
  'replace',
  'keep',
  'drop',
  'hashmod',
  'labelmap',
  'labeldrop',
  'labelkeep',
  'lowercase',
  'uppercase',
  'keepequal',
  'dropequal',
] as const;
export type RelabelAction = (typeof relabelActions)[number];

/** One rule with its defaults filled in. */
export interface RelabelRule {
  readonly action: RelabelAction;
  readonly sourceLabels: readonly string[];
  /** String between the values of the source labels. */
  readonly separator: string;
  /** RE2, anchored at both ends; `.` matches newlines. */
  readonly regex: string;
  /** Modulus of hashmod, greater than 0. */
  readonly modulus: bigint;
  /** Label to set; "" for actions that set none. For `replace`, it may contain `$1`. */
  readonly targetLabel: string;
  /** Value of the target label, which may contain `$1`, `${1}`, `$name`, `${name}` and `$$`. */
  readonly replacement: string;
}

/** Defaults of a rule's keys. */
export const relabelDefaults: RelabelRule = {
  action: 'replace',
  sourceLabels: [],
  separator: ';',
  regex: '(.*)',
  modulus: 0n,
  targetLabel: '',
  replacement: '$1',
};

/** Labels that rules change. A label without a value is not in the map. */
export type LabelMap = Map<string, string>;

/**
 * Function that returns the 16 bytes of a string's MD5. It is injected, because the model also runs
 * in browsers.
 */
type Md5 = (text: string) => Uint8Array;

/**
 * Applies rules in order. Returns the index of the rule that dropped the target, which leaves
 * `labels` incomplete; undefined if the target is kept.
 *
 * Errors: AppError 'resource-exhausted' for a value that would be longer than
 * `relabelValueCharactersMax`. Rules can make values very long: a rule that inserts a label into
 * itself several times multiplies its length.
 */
export type Relabeling = (labels: LabelMap) => number | undefined;

/**
 * Compiles rules.
 *
 * Errors: AppError 'invalid-argument' for an expression that is not RE2.
 * Source: Prometheus model/relabel.
 */
export function createRelabeling(rules: readonly RelabelRule[], md5: Md5): Relabeling {
  const steps = rules.map((rule) => createStep(rule, md5));
  return (labels) => {
    const rule = steps.findIndex((step) => !step(labels));
    return rule === -1 ? undefined : rule;
  };
}

/** A mistake in a rule, and the config key that contains it. */
interface RelabelMistake {
  readonly key: string;
  readonly why: string;
}

/** Returns the mistake in a rule; undefined if there is none. */
export function relabelMistake(rule: RelabelRule): RelabelMistake | undefined {
  const { action, targetLabel } = rule;
  const mistake = (key: string, why: string): RelabelMistake => ({ key, why: `${action} ${why}` });
  if (action === 'hashmod' && rule.modulus === 0n) {
    return mistake('modulus', 'needs a modulus above 0');
  }
  if (needsTarget.has(action)) {
    if (targetLabel === '') return mistake('target_label', 'needs a target_label');
    const isName =
      action === 'replace' ? labelTemplate.test(targetLabel) : isLabelName(targetLabel);
    if (!isName) return mistake('target_label', `cannot set label ${JSON.stringify(targetLabel)}`);
  }
  if (action === 'labelmap' && !labelTemplate.test(rule.replacement)) {
    return mistake('replacement', `cannot set label ${JSON.stringify(rule.replacement)}`);
  }
  const used = usedKeys.get(action);
  if (used === undefined) return undefined;
  const surplus = optionalKeys.find(([key, isDefault]) => !used.includes(key) && !isDefault(rule));
  return surplus === undefined ? undefined : mistake(surplus[0], `does not take ${surplus[0]}`);
}

/**
 * Matches a label name that may refer to groups of the expression: `env_$1`. Source: Prometheus.
 */
const labelTemplate = /^(?:[a-zA-Z_]|\$(?:\{\w+\}|\w+))(?:\w|\$(?:\{\w+\}|\w+))*$/;

const needsTarget: ReadonlySet<RelabelAction> = new Set([
  'replace',
  'hashmod',
  'lowercase',
  'uppercase',
  'keepequal',
  'dropequal',
]);

/** Keys that actions use. Actions refuse other keys, as in Prometheus. */
const usedKeys: ReadonlyMap<RelabelAction, readonly string[]> = new Map([
  ['keepequal', ['source_labels', 'target_label']],
  ['dropequal', ['source_labels', 'target_label']],
  ['labeldrop', ['regex']],
  ['labelkeep', ['regex']],
  ['lowercase', ['source_labels', 'target_label', 'regex', 'separator', 'modulus']],
  ['uppercase', ['source_labels', 'target_label', 'regex', 'separator', 'modulus']],
]);

const optionalKeys: readonly (readonly [string, (rule: RelabelRule) => boolean])[] = [
  ['source_labels', (rule) => rule.sourceLabels.length === 0],
  ['target_label', (rule) => rule.targetLabel === ''],
  ['regex', (rule) => rule.regex === relabelDefaults.regex],
  ['separator', (rule) => rule.separator === relabelDefaults.separator],
  ['modulus', (rule) => rule.modulus === relabelDefaults.modulus],
  ['replacement', (rule) => rule.replacement === relabelDefaults.replacement],
];

type Step = (labels: LabelMap) => boolean;

function createStep(rule: RelabelRule, md5: Md5): Step {
  const match = createAnchoredMatch(rule.regex);
  const source = (labels: LabelMap): string => {
    const values = rule.sourceLabels.map((name) => labels.get(name) ?? '');
    checkLength('the joined source_labels', values, rule.separator.length * values.length);
    return values.join(rule.separator);
  };
  const targetLabel = readTemplate(rule.targetLabel);
  const replacement = readTemplate(rule.replacement);
  const setTarget = (labels: LabelMap, value: string): true => set(labels, rule.targetLabel, value);
  const steps: Readonly<Record<RelabelAction, Step>> = {
    replace: (labels) => {
      const groups = match(source(labels));
      if (groups === undefined) return true;
      const target = expandTemplate(targetLabel, groups);
      return target === '' || set(labels, target, expandTemplate(replacement, groups));
    },
    keep: (labels) => match(source(labels)) !== undefined,
    drop: (labels) => match(source(labels)) === undefined,
    hashmod: (labels) => {
      const hash = md5(source(labels));
      const low = new DataView(hash.buffer, hash.byteOffset, hash.byteLength).getBigUint64(8);
      return setTarget(labels, (low % rule.modulus).toString());
    },
    labelmap: (labels) => {
      for (const [name, value] of Array.from(labels)) {
        const groups = match(name);
        if (groups !== undefined) set(labels, expandTemplate(replacement, groups), value);
      }
      return true;
    },
    labeldrop: (labels) => removeWhere(labels, (name) => match(name) !== undefined),
    labelkeep: (labels) => removeWhere(labels, (name) => match(name) === undefined),
    lowercase: (labels) => setTarget(labels, source(labels).toLowerCase()),
    uppercase: (labels) => setTarget(labels, source(labels).toUpperCase()),
    keepequal: (labels) => source(labels) === (labels.get(rule.targetLabel) ?? ''),
    dropequal: (labels) => source(labels) !== (labels.get(rule.targetLabel) ?? ''),
  };
  return steps[rule.action];
}

function set(labels: LabelMap, name: string, value: string): true {
  if (value === '' || name === '') labels.delete(name);
  else labels.set(name, value);
  return true;
}

function removeWhere(labels: LabelMap, isRemoved: (name: string) => boolean): true {
  for (const name of Array.from(labels.keys())) if (isRemoved(name)) labels.delete(name);
  return true;
}

/** Groups of a match, by number and by name. Group 0 is the whole match. */
type Groups = ReadonlyMap<string, string>;

/** Maximum number of cached matches of a rule. Targets of one job share most of their values. */
const cachedMatchesMax = 1_024;

function createAnchoredMatch(regex: string): (text: string) => Groups | undefined {
  const pattern = compile(regex);
  const groupNames = Object.entries(pattern.namedGroups());
  const cache = new Map<string, Groups | undefined>();
  return (text) => {
    if (cache.has(text)) return cache.get(text);
    const groups = findGroups(pattern, groupNames, text);
    if (cache.size >= cachedMatchesMax) cache.clear();
    cache.set(text, groups);
    return groups;
  };
}

function findGroups(
  pattern: RE2JS,
  groupNames: readonly (readonly [string, number])[],
  text: string,
): Groups | undefined {
  const matcher = pattern.matcher(text);
  if (!matcher.matches()) return undefined;
  const groups = new Map<string, string>();
  for (let i = 0; i <= matcher.groupCount(); i += 1) {
    groups.set(String(i), matcher.group(i) ?? '');
  }
  for (const [name, index] of groupNames) groups.set(name, matcher.group(index) ?? '');
  return groups;
}

function compile(regex: string): RE2JS {
  try {
    return RE2JS.compile(regex, RE2JS.DOTALL);
  } catch (error) {
    const message = `cannot compile regular expression: ${errorMessage(error)}`;
    throw new AppError('invalid-argument', message, { cause: error });
  }
}

/** Parts of a template: a string is literal, and an object stands for the value of a group. */
type Template = readonly (string | { readonly group: string })[];

/**
 * Reads `$1`, `${name}` and `$$`, like Go's Regexp.Expand: `$1x` means the group named "1x". A `$`
 * before other characters stays.
 */
function readTemplate(template: string): Template {
  const pieces: (string | { group: string })[] = [];
  let start = 0;
  for (const found of template.matchAll(/\$(?:\$|\{([\p{L}\p{Nd}_]+)\}|([\p{L}\p{Nd}_]+))/gu)) {
    pieces.push(template.slice(start, found.index));
    const group: string | undefined = found[1] ?? found[2];
    pieces.push(group === undefined ? '$' : { group });
    start = found.index + found[0].length;
  }
  pieces.push(template.slice(start));
  return pieces;
}

/** Puts the values of groups into a template. A missing group is "". */
function expandTemplate(template: Template, groups: Groups): string {
  const values = template.map((piece) =>
    typeof piece === 'string' ? piece : (groups.get(piece.group) ?? ''),
  );
  checkLength('a label', values, 0);
  return values.join('');
}

/**
 * Refuses a string that would be too long, before it is built. Errors: AppError
 * 'resource-exhausted'.
 */
function checkLength(what: string, pieces: readonly string[], separators: number): void {
  const length = pieces.reduce((sum, piece) => sum + piece.length, separators);
  if (length <= relabelValueCharactersMax) return;
  const why = `${what} would have ${length} characters, the limit is ${relabelValueCharactersMax}`;
  throw new AppError('resource-exhausted', `cannot relabel: ${why}`);
}
