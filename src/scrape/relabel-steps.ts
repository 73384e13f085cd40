// Computes the labels of a target after each relabeling rule, to help authors of rules.
import { AppError } from '../base/errors.ts';
import {
  relabelTestCostMax,
  relabelTestLabelsMax,
  relabelTestRulesMax,
  relabelTestSourcesMax,
  relabelTestTextMax,
} from './limits.ts';
import type { Steps } from '../base/pacer.ts';
import { md5 } from '../base/node/md5.ts';
import type { ScrapeConfig } from '../config/config.ts';
import { parseTestedRules, printRelabelRules } from '../config/schema/relabel-schema.ts';
import { createLabelSet, type Label, profileNameLabel } from '../model/labels.ts';
import { patternSize } from '../model/pattern.ts';
import { createRelabeling, type LabelMap, type RelabelRule } from '../model/relabel.ts';
import type { RelabelStep, RelabelSteps, TestedRules } from './interface.ts';
import { makeTargets } from './target.ts';

/**
 * Applies the rules of a job to these labels, one by one, up to the rule that drops the target.
 * Adds the job's own labels first. Can pause after each rule.
 *
 * Errors: AppError 'resource-exhausted' if labels become too long or the rules would take too long.
 */
export function* relabelSteps(
  config: ScrapeConfig,
  given: readonly Label[],
  rulesText = printRelabelRules(config.relabelRules),
): Steps<RelabelSteps> {
  const { jobName, profiles, relabelRules } = config;
  const named = given.find(({ name }) => name === profileNameLabel)?.value;
  const profile = profiles.find(({ name }) => name === named) ?? profiles.at(0);
  const common = { job: jobName, rulesText };
  if (profile === undefined) {
    const discoveredLabels = createLabelSet(given);
    const mistake = `job ${jobName} has no profiles`;
    return { ...common, discoveredLabels, steps: [], target: undefined, mistake };
  }
  const group = { source: '', targets: [given], labels: [] };
  const inJob = { ...config, profiles: [profile] };
  const [before] = makeTargets(inJob, [group], () => undefined);
  const { discoveredLabels } = before.kind === 'target' ? before.target : before;
  const labels: LabelMap = new Map(discoveredLabels.map(({ name, value }) => [name, value]));
  const steps: RelabelStep[] = [];
  const charge = createCharge();
  let droppedBy: number | undefined;
  for (const rule of relabelRules) {
    charge(rule, labels);
    droppedBy = createRelabeling([rule], md5)(labels);
    const isDropped = droppedBy !== undefined;
    const after = [...labels].map(([name, value]) => ({ name, value }));
    steps.push({ rule, isDropped, labels: createLabelSet(after) });
    if (isDropped) break;
    yield;
  }
  // This applies all rules again, without pauses. It is fast enough, because the cost was checked
  // above.
  const [outcome] = makeTargets(inJob, [group], (again) => {
    again.clear();
    for (const [name, value] of labels) again.set(name, value);
    return droppedBy;
  });
  return {
    ...common,
    discoveredLabels,
    steps,
    target: outcome.kind === 'target' ? outcome.target : undefined,
    mistake: outcome.kind === 'mistake' ? outcome.why : '',
  };
}

/**
 * Parses the rules of a test.
 *
 * Errors: ConfigError with the positions of mistakes, AppError 'resource-exhausted' for a long
 * text.
 */
export function readTestedRules(yaml: string): TestedRules {
  refuse('characters of rules', yaml.length, relabelTestTextMax);
  const rules = parseTestedRules(yaml, 'relabel_configs');
  const sources = rules.reduce((sum, { sourceLabels }) => sum + sourceLabels.length, 0);
  refuse('source labels of rules', sources, relabelTestSourcesMax);
  return { rules, text: printRelabelRules(rules) };
}

/** Throws if there are too many rules. Errors: AppError 'resource-exhausted'. */
export function checkRuleCount(rules: readonly RelabelRule[]): void {
  refuse('rules', rules.length, relabelTestRulesMax);
}

/**
 * Returns a function that must be called before each rule with the current labels. It throws if the
 * test would take too long. It assumes that an expression is tried at every character of every
 * label.
 */
function createCharge(): (rule: RelabelRule, labels: LabelMap) => void {
  let cost = 0;
  let answered = 0;
  return ({ regex }, labels) => {
    let characters = 0;
    for (const [name, value] of labels) characters += name.length + value.length;
    answered += characters;
    cost += patternSize(regex) * characters;
    refuse('characters of labels after all rules', answered, relabelTestLabelsMax);
    refuse('steps of expressions times characters', cost, relabelTestCostMax);
  };
}

function refuse(what: string, count: number, countMax: number): void {
  if (count <= countMax) return;
  const why = `${what} are ${count}, the limit is ${countMax}`;
  throw new AppError('resource-exhausted', `cannot test relabeling: ${why}`);
}
