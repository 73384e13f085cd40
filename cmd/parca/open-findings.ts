// Opens the rules of a server and its search for findings. Both send alerts to the same receivers.
import { join, resolve } from 'node:path';
import type { Config } from '../../src/config/config.ts';
import {
  type FindingsManager,
  type FindingsOptions,
  openFindings,
} from '../../src/findings/findings-manager.ts';
import type { RuleManager } from '../../src/rules/rule-manager.ts';
import type { Machine } from '../machine.ts';
import type { Flags } from './flags.ts';
import { openServerRules, type RuleParts } from './open-rules.ts';

/** Rules and findings of a server. */
interface Watching {
  readonly rules: RuleManager;
  readonly findings: FindingsManager;
  readonly apply: (config: Config) => Promise<void>;
}

/**
 * Opens the rules and the search with the state that the last process saved. Both start when a
 * config is applied.
 */
export async function openWatching(
  machine: Machine,
  flags: Flags,
  parts: Omit<RuleParts, 'findings'> & { readonly engine: FindingsOptions['engine'] },
  userAgent: string,
): Promise<Watching> {
  const findings = await openFindings({
    ...machine,
    engine: parts.engine,
    listMarks: () => parts.marks.list(),
    onChange: () => rules.wake(),
    folder: join(resolve(flags.storagePath), 'findings'),
  });
  const rules = await openServerRules(machine, flags, { ...parts, findings }, userAgent);
  return {
    rules,
    findings,
    apply: async (config) => {
      findings.apply(config.findings);
      await rules.apply(config);
    },
  };
}
