// All rules of the configured files, with alerts that persist across reloads and restarts.
import { errorMessage } from '../base/errors.ts';
import { makeDurableFolder } from '../base/durable-files.ts';
import type { Files } from '../base/files.ts';
import { writeKeptJson } from '../base/kept-json.ts';
import { shareNextRun } from '../base/next-run.ts';
import type { Config } from '../config/config.ts';
import { namedFiles } from '../config/load/parse.ts';
import type { DiscoveryContext } from '../discovery/interface.ts';
import { type LabelSet, labelSetKey } from '../model/labels.ts';
import type { DrawPicture } from '../query/interface.ts';
import type { Storage } from '../storage/interface.ts';
import type { SentAlert } from './alert-message.ts';
import type { AlertMap } from './alert-rule.ts';
import { comparedWindows } from './compared-windows.ts';
import type {
  Alert,
  AlertRuleConfig,
  NumberQueries,
  RuleGroupConfig,
  RuleGroupStatus,
  RulesStatus,
} from './interface.ts';
import { outageMillisMax, resendMillis, undeliveredMillisMax } from './limits.ts';
import { createNumberQueries, type NumberQueriesOptions } from './number-queries.ts';
import { createRuleMetrics, type RuleMetrics } from './metrics.ts';
import { Notifier } from './notifier.ts';
import type { ListMarks } from './find-window.ts';
import {
  readSentState,
  type RecordedUpTo,
  RemoteWriters,
  type SentState,
} from './remote-writer.ts';
import { type GroupContext, RuleGroup } from './rule-group.ts';
import { readRuleFiles } from './rule-file.ts';
import { readSavedState, type SavedState } from './saved-state.ts';

/** Dependencies of the rule manager. */
export interface RuleManagerOptions extends Omit<DiscoveryContext, 'files'> {
  readonly files: Files;
  readonly engine: NumberQueriesOptions['engine'];
  readonly listMarks: ListMarks;
  readonly storage: Pick<Storage, 'appender'>;
  /** Folder of the state, created on demand; its parent must exist. */
  readonly folder: string;
  /** Returns alerts that do not come from rules, such as alerts for findings. */
  readonly moreAlerts?: () => readonly MoreAlert[];
  /** URL of the page, without a slash at the end. */
  readonly externalUrl: string;
  /** Draws pictures of messages; undefined = messages have none. */
  readonly drawPicture?: DrawPicture;
}

/** Alert that does not come from a rule. */
export interface MoreAlert extends SentAlert {
  readonly value: number;
}

/** Name of the file with the state. */
const stateName = 'alerts.json';

/** Loads the alerts that the last process saved. There are no rules before `apply`. */
export async function openRules(options: RuleManagerOptions): Promise<RuleManager> {
  const { files, folder, logger } = options;
  const saved = await readSavedState(`${folder}/${stateName}`, files, logger);
  return new RuleManager(options, saved, await readSentState(options));
}

/** Evaluates the rules of the config until it is stopped. */
export class RuleManager implements RulesStatus {
  readonly numbers: NumberQueries;
  readonly #options: RuleManagerOptions;
  readonly #notifier: Notifier;
  readonly #writers: RemoteWriters;
  readonly #metrics: RuleMetrics;
  readonly #save: () => Promise<void>;
  #groups: readonly RuleGroup[] = [];
  /** Saved alerts by the key of their rule, for groups that are not created yet. */
  #alerts: Map<string, AlertMap>;
  /** Resolved alerts of removed rules, kept until all recipients know that they have ended. */
  #orphans: ReadonlyMap<string, Alert> = new Map();
  #externalLabels: LabelSet = [];
  /** Alerts and deliveries as saved in the file, without values; "" = unknown. */
  #lastSaved: string;
  #isFolderMade = false;
  /** True after the first config. Before that, nobody knows which of the saved alerts remain. */
  #isApplied = false;
  #isStopped = false;

  constructor(options: RuleManagerOptions, saved: SavedState, sent: SentState) {
    this.#options = options;
    this.numbers = createNumberQueries(options);
    this.#lastSaved = saved.rules.length + saved.deliveries.length === 0 ? nothingToSave : '';
    this.#metrics = createRuleMetrics(options.metrics);
    this.#alerts = restoreAlerts(saved, options.clock.nowMillis());
    this.#save = shareNextRun(() => this.#write());
    this.#writers = new RemoteWriters({ ...options, recorded: () => this.#recorded() }, sent);
    this.#notifier = new Notifier(
      {
        ...options,
        alerts: () => (this.#isApplied ? this.#sentAlerts() : undefined),
        save: this.#save,
      },
      saved.deliveries,
    );
  }

  /**
   * Applies a config. Unchanged rules keep their alerts.
   *
   * Errors: as in readRuleFiles; those of listing folders and of creating clients. After an error,
   * the rules are unchanged.
   */
  async apply(config: Config): Promise<void> {
    const { files } = this.#options;
    const paths = await namedFiles(config.ruleFiles, files);
    const configs = await readRuleFiles(paths, config.ruleDefaults, files);
    if (this.#isStopped) return;
    await this.#notifier.apply(config.alerting, config.externalLabels);
    await this.#writers.apply(config.remoteWrite, config.externalLabels);
    const gone = this.#groups;
    await Promise.all(gone.map((group) => group.stop()));
    const alerts = new Map(this.#alerts);
    for (const group of gone) {
      for (const one of group.alerts()) alerts.set(one.key, one.alerts);
    }
    this.#externalLabels = config.externalLabels;
    const context = this.#groupContext();
    const take = (key: string): AlertMap | undefined => {
      const taken = alerts.get(key);
      alerts.delete(key);
      return taken;
    };
    this.#groups = configs.map((group) => new RuleGroup(group, context, take));
    this.#alerts = new Map();
    this.#resolveOrphans(alerts.values());
    this.#isApplied = true;
    for (const group of this.#groups) group.start();
    this.#notifier.wake();
  }

  groups(): readonly RuleGroupStatus[] {
    return this.#groups.map((group) => group.status());
  }

  otherAlerts(): readonly Alert[] {
    return (this.#options.moreAlerts?.() ?? []).map((alert) => ({
      labels: alert.labels,
      annotations: alert.annotations,
      state: alert.isResolved ? 'inactive' : 'firing',
      activeMillis: alert.activeMillis,
      value: alert.value,
      keptSinceMillis: undefined,
      firedMillis: alert.activeMillis,
      resolvedMillis: alert.isResolved ? alert.endMillis : undefined,
    }));
  }

  alertmanagers(): { readonly active: readonly string[]; readonly dropped: readonly string[] } {
    return this.#notifier.addresses();
  }

  /** Notifies recipients that alerts from other sources may have changed. */
  wake(): void {
    this.#notifier.wake();
  }

  /** Stops evaluations and messages, and writes the state; idempotent. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#groups.map((group) => group.stop()));
    await this.#writers.stop();
    await this.#notifier.stop();
    await this.#save();
  }

  /** Returns the recorded series, up to the time for which all groups have stored them. */
  #recorded(): RecordedUpTo[] {
    const done = new Map<string, number>();
    for (const group of this.#groups) {
      const { config, lastEvaluationMillis } = group.status();
      const doneMillis = Math.floor(lastEvaluationMillis - config.offsetMillis);
      for (const { kind, name } of config.rules) {
        if (kind === 'record') done.set(name, Math.min(doneMillis, done.get(name) ?? Infinity));
      }
    }
    return [...done]
      .filter(([, doneMillis]) => doneMillis > 0)
      .map(([name, doneMillis]) => ({ name, doneMillis }));
  }

  #groupContext(): GroupContext {
    const { clock, logger, engine, listMarks, storage } = this.#options;
    return {
      clock,
      logger,
      engine,
      listMarks,
      storage,
      metrics: this.#metrics,
      externalLabels: this.#externalLabels,
      linkTo: (rule) => this.#linkTo(rule),
      isDelivered: (key, alert, rule) => {
        const sent = this.#sentAlert(key, alert, rule, anyGroup);
        return sent === undefined || this.#notifier.isDelivered(sent);
      },
      onEvaluated: () => {
        void this.#save();
        this.#notifier.wake();
        this.#writers.wake();
      },
    };
  }

  /**
   * Resolves the firing alerts of removed rules. Forgets alerts when all recipients know that they
   * have ended.
   */
  #resolveOrphans(gone: Iterable<AlertMap>): void {
    const nowMillis = this.#options.clock.nowMillis();
    const orphans = new Map<string, Alert>();
    for (const alerts of [this.#orphans, ...gone]) {
      for (const [key, alert] of alerts) {
        if (alert.state === 'pending') continue;
        const resolvedMillis = alert.resolvedMillis ?? nowMillis;
        const resolved: Alert = { ...alert, state: 'inactive', resolvedMillis };
        const sent = this.#sentAlert(key, resolved, undefined, anyGroup);
        const isOld = nowMillis - resolvedMillis > undeliveredMillisMax;
        const isKnown = sent === undefined || (this.#isApplied && this.#notifier.isDelivered(sent));
        if (!isOld && !isKnown) orphans.set(key, resolved);
      }
    }
    this.#orphans = orphans;
  }

  #sentAlerts(): SentAlert[] {
    const sent: SentAlert[] = [];
    for (const group of this.#groups) {
      for (const { rule, alerts } of group.alerts()) {
        for (const [key, alert] of alerts) {
          const one = this.#sentAlert(key, alert, rule, group.config);
          if (one !== undefined) sent.push(one);
        }
      }
    }
    sent.push(...(this.#options.moreAlerts?.() ?? []));
    const known = new Set(sent.map(({ key }) => key));
    for (const [key, alert] of this.#orphans) {
      const one = this.#sentAlert(key, alert, undefined, anyGroup);
      if (one !== undefined && !known.has(key)) sent.push(one);
    }
    return sent;
  }

  /** Returns an alert as sent to recipients; undefined for a pending alert. */
  #sentAlert(
    key: string,
    alert: Alert,
    rule: AlertRuleConfig | undefined,
    { intervalMillis, offsetMillis }: Pick<RuleGroupConfig, 'intervalMillis' | 'offsetMillis'>,
  ): SentAlert | undefined {
    if (alert.state === 'pending') return undefined;
    const validMillis = alertLifetimes * Math.max(intervalMillis, resendMillis);
    return {
      key,
      labels: alert.labels,
      annotations: alert.annotations,
      activeMillis: alert.activeMillis,
      isResolved: alert.resolvedMillis !== undefined,
      endMillis: alert.resolvedMillis ?? this.#options.clock.nowMillis() + validMillis,
      link: rule === undefined ? this.#options.externalUrl : this.#linkTo(rule),
      compared: () => {
        const { listMarks } = this.#options;
        return rule && comparedWindows(alert, { ...rule, offsetMillis, listMarks });
      },
    };
  }

  /** Returns the URL of the page with the first query of a rule. */
  #linkTo({ firstQuery }: AlertRuleConfig): string {
    const { externalUrl } = this.#options;
    return `${externalUrl}/${firstQuery === '' ? '' : `?q=${encodeURIComponent(firstQuery)}`}`;
  }

  /** Writes the state if it has changed. */
  async #write(): Promise<void> {
    const { clock, files, folder, logger } = this.#options;
    const rules = this.#groups.flatMap((group) =>
      [...group.alerts()]
        .filter(({ alerts }) => alerts.size > 0)
        .map(({ key, alerts }) => ({ key, alerts: [...alerts.values()] })),
    );
    if (this.#orphans.size > 0)
      rules.push({ key: orphansKey, alerts: [...this.#orphans.values()] });
    const deliveries = this.#notifier.saved();
    const content = JSON.stringify([rules.map(withoutValues), deliveries]);
    // While an alert is active, the time of the last evaluation must also be saved.
    if (content === this.#lastSaved && rules.length === 0) return;
    try {
      if (!this.#isFolderMade) await makeDurableFolder(files, folder, folder);
      this.#isFolderMade = true;
      const state: SavedState = { savedMillis: clock.nowMillis(), rules, deliveries };
      await writeKeptJson(files, `${folder}/${stateName}`, state);
      this.#lastSaved = content;
    } catch (error) {
      logger.error('cannot keep the state of alerts', { error: errorMessage(error) });
    }
  }
}

/** Group of alerts whose times are not sent. */
const anyGroup = { intervalMillis: resendMillis, offsetMillis: 0 };

/** Content of the file without alerts and deliveries. */
const nothingToSave = JSON.stringify([[], []]);

/** Key for alerts of removed rules; no rule has this key. */
const orphansKey = '';

/**
 * Number of intervals after which an alert counts as resolved if it is not sent again, as in
 * Prometheus.
 */
const alertLifetimes = 4;

/**
 * Returns what must be saved of alerts; values are omitted, because they change at each evaluation.
 */
function withoutValues({ key, alerts }: SavedState['rules'][number]): object {
  return { key, alerts: alerts.map((alert) => ({ ...alert, value: 0, annotations: [] })) };
}

/**
 * Returns the alerts of a saved state. The time in which the server was down does not count for
 * pending alerts. After a long downtime, pending alerts start again.
 */
function restoreAlerts(
  { savedMillis, rules }: SavedState,
  nowMillis: number,
): Map<string, AlertMap> {
  const downMillis = Math.max(0, nowMillis - savedMillis);
  return new Map(
    rules.map(({ key, alerts }) => {
      const kept = alerts.flatMap((alert): [string, Alert][] => {
        const alertKey = labelSetKey(alert.labels);
        if (alert.state !== 'pending') return [[alertKey, alert]];
        if (downMillis > outageMillisMax) return [];
        return [[alertKey, { ...alert, activeMillis: alert.activeMillis + downMillis }]];
      });
      return [key, new Map(kept)];
    }),
  );
}
