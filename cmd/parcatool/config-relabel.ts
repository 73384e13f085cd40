// `parcatool config relabel`: what each rule of a job makes of a target's labels.
import { resolve } from 'node:path';
import { AppError } from '../../src/base/errors.ts';
import { createFiles } from '../../src/base/node/files.ts';
import { md5 } from '../../src/base/node/md5.ts';
import type { ScrapeConfig } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/load.ts';
import { isLabelName, profileNameLabel, type Label } from '../../src/model/labels.ts';
import { createRelabeling, type LabelMap } from '../../src/model/relabel.ts';
import { targetsOf } from '../../src/scrape/target.ts';
import { jobsOf, labelText } from './config-targets.ts';
import type { Options } from './options.ts';
import { printable } from './terminal.ts';

/** Returns a line for each rule of each job, and the outcome. Arguments: FILE NAME=VALUE... */
export async function explainRelabeling(
  [file, ...given]: readonly string[],
  { job, variables }: Options,
): Promise<string> {
  const labels = given.map(readLabel);
  const { scrapeConfigs } = await loadConfig(resolve(file), createFiles(), variables);
  const lines = jobsOf(scrapeConfigs, job, file).flatMap((config) => explain(config, labels));
  return lines.map((line) => `${printable(line)}\n`).join('');
}

function readLabel(text: string): Label {
  const [name, ...rest] = text.split('=');
  if (rest.length > 0 && isLabelName(name)) return { name, value: rest.join('=') };
  const why = `expected NAME=VALUE, got ${JSON.stringify(text)}`;
  throw new AppError('invalid-argument', printable(why));
}

function explain(config: ScrapeConfig, given: readonly Label[]): string[] {
  const { jobName, profiles, relabelRules: rules } = config;
  const named = given.find(({ name }) => name === profileNameLabel)?.value;
  const profile = profiles.find(({ name }) => name === named) ?? profiles.at(0);
  if (profile === undefined) return [`job ${jobName} has no profiles`];
  const group = { source: '', targets: [given], labels: [] };
  const relabel = createRelabeling(rules, md5);
  const [outcome] = targetsOf({ ...config, profiles: [profile] }, [group], relabel);
  const { discoveredLabels } = outcome.kind === 'target' ? outcome.target : outcome;
  const labels: LabelMap = new Map(discoveredLabels.map(({ name, value }) => [name, value]));
  const lines = [`job ${jobName}: ${labelText(discoveredLabels)}`];
  for (const [i, rule] of rules.entries()) {
    const before = new Map(labels);
    const isDropped = createRelabeling([rule], md5)(labels) !== undefined;
    const what = isDropped ? 'drops the target' : changes(before, labels);
    lines.push(`  relabel_configs[${i}] ${rule.action}: ${what}`);
    if (isDropped) return lines;
  }
  if (outcome.kind === 'mistake') return [...lines, `  ${outcome.error.message}`];
  if (outcome.kind === 'target') {
    lines.push(`  ${outcome.target.url} ${labelText(outcome.target.labels)}`);
  }
  return lines;
}

function changes(before: LabelMap, after: LabelMap): string {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  const changed = names.filter((name) => before.get(name) !== after.get(name));
  const value = (labels: LabelMap, name: string): string => JSON.stringify(labels.get(name) ?? '');
  const texts = changed.map((name) => `${name} ${value(before, name)} to ${value(after, name)}`);
  return texts.length === 0 ? 'changes nothing' : texts.join(', ');
}
