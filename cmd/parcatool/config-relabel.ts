// `parcatool config relabel`: shows the effect of each rule of a job on a target's labels.
import { resolve } from 'node:path';
import { createFiles } from '../../src/base/node/files.ts';
import type { ScrapeConfig } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/load/load.ts';
import {
  formatLabels,
  isLabelName,
  type Label,
  labelValue,
  type LabelSet,
} from '../../src/model/labels.ts';
import { finishAtOnce } from '../../src/base/pacer.ts';
import { relabelSteps } from '../../src/scrape/relabel-steps.ts';
import { printable } from '../../src/base/printable.ts';
import { invalidFlag } from '../flag-table.ts';
import { selectJobs } from './config-targets.ts';
import type { Options } from './shared/options.ts';
import { discoveryKinds } from '../../src/discovery/registry.ts';

/**
 * Returns a line for each rule of each job, and the resulting labels. The arguments are FILE
 * NAME=VALUE...
 */
export async function explainRelabeling(
  [file, ...given]: readonly string[],
  { job, variables }: Options,
): Promise<string> {
  const labels = given.map(readLabel);
  const { scrapeConfigs } = await loadConfig(
    resolve(file),
    createFiles(),
    discoveryKinds,
    variables,
  );
  const jobs = selectJobs(scrapeConfigs, job, file);
  const lines = jobs.flatMap((config) => explain(config, labels));
  if (jobs.length > 1) lines.push(`these are ${jobs.length} jobs; --job=NAME shows one`);
  return lines.map((line) => `${printable(line)}\n`).join('');
}

function readLabel(text: string): Label {
  const [name, ...rest] = text.split('=');
  if (rest.length > 0 && isLabelName(name)) return { name, value: rest.join('=') };
  const why = `expected NAME=VALUE, got ${JSON.stringify(text)}`;
  throw invalidFlag(printable(why));
}

function explain(config: ScrapeConfig, given: readonly Label[]): string[] {
  const { job, discoveredLabels, steps, target, mistake } = finishAtOnce(
    relabelSteps(config, given),
  );
  const lines = [`job ${job}: ${formatLabels(discoveredLabels)}`];
  let before = discoveredLabels;
  for (const [i, { rule, labels, isDropped }] of steps.entries()) {
    const what = isDropped ? 'drops the target' : changes(before, labels);
    lines.push(`  relabel_configs[${i}] ${rule.action}: ${what}`);
    before = labels;
  }
  if (mistake !== '') lines.push(`  ${mistake}`);
  if (target !== undefined) lines.push(`  ${target.url} ${formatLabels(target.labels)}`);
  return lines;
}

function changes(before: LabelSet, after: LabelSet): string {
  const names = [...new Set([...before, ...after].map(({ name }) => name))].sort();
  const changed = names.filter((name) => labelValue(before, name) !== labelValue(after, name));
  const value = (labels: LabelSet, name: string): string =>
    JSON.stringify(labelValue(labels, name));
  const texts = changed.map((name) => `${name} ${value(before, name)} to ${value(after, name)}`);
  return texts.length === 0 ? 'changes nothing' : texts.join(', ');
}
