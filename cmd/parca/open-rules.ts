// Opens the rules of a server, and creates the reloader of its config.
import { join, resolve } from 'node:path';
import type { Api } from '../../src/api/interface.ts';
import { loadConfig } from '../../src/config/load/load.ts';
import { type ApplyConfig, createReloader, type Reloader } from '../../src/config/reload.ts';
import type { WebConfig } from '../../src/config/web/web-config.ts';
import { discoveryKinds } from '../../src/discovery/registry.ts';
import {
  openRules,
  type RuleManager,
  type RuleManagerOptions,
} from '../../src/rules/rule-manager.ts';
import { findingAlerts } from '../../src/findings/finding-alerts.ts';
import type { Findings } from '../../src/findings/interface.ts';
import type { DrawPicture } from '../../src/query/interface.ts';
import type { StoredMarks } from '../../src/shares/interface.ts';
import type { Storage } from '../../src/storage/interface.ts';
import type { Machine } from '../machine.ts';
import type { Flags } from './flags.ts';
import { expandedVariables, ownUrl } from './mode-parts.ts';
import { discoveryParts } from './open-scrapes.ts';

/** Parts of a server that rules need. */
export interface RuleParts {
  readonly api: Api;
  readonly web: WebConfig;
  readonly engine: RuleManagerOptions['engine'];
  readonly drawPicture: DrawPicture;
  readonly marks: StoredMarks;
  readonly storage: Pick<Storage, 'appender'>;
  readonly findings: Pick<Findings, 'list'>;
}

/** Opens the rules with previously saved alerts. No rule is evaluated until a config is applied. */
export function openServerRules(
  machine: Machine,
  flags: Flags,
  { api, web, engine, drawPicture, marks, storage, findings }: RuleParts,
  userAgent: string,
): Promise<RuleManager> {
  const externalUrl = flags.externalUrl || ownUrl(api, web, flags);
  return openRules({
    ...discoveryParts(machine, userAgent),
    files: machine.files,
    engine,
    storage,
    listMarks: () => marks.list(),
    folder: join(resolve(flags.storagePath), 'rules'),
    externalUrl,
    drawPicture,
    moreAlerts: () => findingAlerts(findings.list(), machine.clock.nowMillis(), externalUrl),
  });
}

/** Creates the reloader, which applies a config to the server's parts in a fixed order. */
export function createServerReloader(
  machine: Machine,
  flags: Flags,
  configPath: string,
  apply: readonly ApplyConfig[],
): Reloader {
  const { files } = machine;
  return createReloader({
    load: () => loadConfig(configPath, files, discoveryKinds, expandedVariables(flags)),
    apply,
    ...machine,
  });
}
