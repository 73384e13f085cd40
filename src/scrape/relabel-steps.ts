// Steps of relabeling: the labels of a target after each rule, for people who write rules.
import { AppError } from '../base/errors.ts';
import { relabelTestCostMax, relabelTestRulesMax, relabelTestTextMax } from '../base/limits.ts';
import { md5 } from '../base/node/md5.ts';
import type { ScrapeConfig } from '../config/config.ts';
import { parseTestedRules, printRelabelRules } from '../config/schema/relabel-schema.ts';
import { createLabelSet, type Label, profileNameLabel } from '../model/labels.ts';
import { patternSize } from '../model/pattern.ts';
import { createRelabeling, type LabelMap, type RelabelRule } from '../model/relabel.ts';
import type { RelabelStep, RelabelSteps } from './interface.ts';
import { targetsOf } from './target.ts';

/**
 * Applies the rules of a job to a target with these labels, one after the other, up to the one that
 * drops it. Labels that the job adds are added first.
 */
export function relabelSteps(config: ScrapeConfig, given: readonly Label[]): RelabelSteps {
  const { jobName, profiles, relabelRules } = config;
  const named = given.find(({ name }) => name === profileNameLabel)?.value;
  const profile = profiles.find(({ name }) => name === named) ?? profiles.at(0);
  const common = { job: jobName, rulesText: printRelabelRules(relabelRules) };
  if (profile === undefined) {
    const discoveredLabels = createLabelSet(given);
    const mistake = `job ${jobName} has no profiles`;
    return { ...common, discoveredLabels, steps: [], target: undefined, mistake };
  }
  const group = { source: '', targets: [given], labels: [] };
  const relabel = createRelabeling(relabelRules, md5);
  const [outcome] = targetsOf({ ...config, profiles: [profile] }, [group], relabel);
  const { discoveredLabels } = outcome.kind === 'target' ? outcome.target : outcome;
  const labels: LabelMap = new Map(discoveredLabels.map(({ name, value }) => [name, value]));
  const steps: RelabelStep[] = [];
  for (const rule of relabelRules) {
    const isDropped = createRelabeling([rule], md5)(labels) !== undefined;
    const after = [...labels].map(([name, value]) => ({ name, value }));
    steps.push({ rule, isDropped, labels: createLabelSet(after) });
    if (isDropped) break;
  }
  return {
    ...{ ...common, discoveredLabels, steps },
    target: outcome.kind === 'target' ? outcome.target : undefined,
    mistake: outcome.kind === 'mistake' ? outcome.error.message : '',
  };
}

/**
 * Reads the rules of a test.
 *
 * Errors: ConfigError with the places of mistakes, AppError 'resource-exhausted' for a long text.
 */
export function readTestedRules(yaml: string): readonly RelabelRule[] {
  refuse('characters of rules', yaml.length, relabelTestTextMax);
  return parseTestedRules(yaml, 'relabel_configs');
}

/**
 * Refuses rules and labels of untrusted users if a test would take long: an expression may be tried
 * on every character of every label.
 *
 * Errors: AppError 'resource-exhausted'.
 */
export function checkRelabelCost(rules: readonly RelabelRule[], labels: readonly Label[]): void {
  const patternSteps = rules.reduce((sum, { regex }) => sum + patternSize(regex), 0);
  const characters = labels.reduce((sum, { name, value }) => sum + name.length + value.length, 0);
  refuse('rules', rules.length, relabelTestRulesMax);
  refuse('steps of expressions times characters', patternSteps * characters, relabelTestCostMax);
}

function refuse(what: string, count: number, countMax: number): void {
  if (count <= countMax) return;
  const why = `${what} are ${count}, the limit is ${countMax}`;
  throw new AppError('resource-exhausted', `cannot test relabeling: ${why}`);
}
