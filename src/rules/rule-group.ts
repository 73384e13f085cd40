// A group of rules that are evaluated in order. A hash of the group's name determines when in the
// interval it is evaluated, so that the evaluations of all groups are spread out.
import { errorMessage } from '../base/errors.ts';
import { sleep } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { LabelSet } from '../model/labels.ts';
import type { QueryCaller } from '../query/interface.ts';
import { nextAlerts, type AlertMap } from './alert-rule.ts';
import { askEngine, type RuleEngine } from './ask-engine.ts';
import { evaluate, type Vector } from './evaluate.ts';
import type { ListMarks } from './find-window.ts';
import type {
  Alert,
  AlertRuleConfig,
  RuleConfig,
  RuleGroupConfig,
  RuleGroupStatus,
} from './interface.ts';
import { evaluationMillisMax } from './limits.ts';
import type { RuleMetrics } from './metrics.ts';
import { recordSamples, type RecorderOptions } from './recorder.ts';

/** Dependencies that all groups share. */
export interface GroupContext extends RecorderOptions {
  readonly logger: Logger;
  readonly engine: RuleEngine;
  readonly listMarks: ListMarks;
  readonly metrics: RuleMetrics;
  readonly externalLabels: LabelSet;
  /** Returns the URL of the page with an expression. */
  readonly linkTo: (rule: AlertRuleConfig) => string;
  readonly isDelivered: (key: string, alert: Alert, rule: AlertRuleConfig) => boolean;
  /** Called after each evaluation of a group. */
  readonly onEvaluated: () => void;
}

/** A rule with its alerts. */
interface RunningRule {
  readonly config: RuleConfig;
  /** Key that identifies the rule after a reload or a restart. */
  readonly key: string;
  alerts: AlertMap;
  health: 'unknown' | 'ok' | 'err';
  lastError: string;
  lastEvaluationMillis: number;
  evaluationSeconds: number;
}

/** Evaluates the rules of a group until it is stopped. */
export class RuleGroup {
  readonly config: RuleGroupConfig;
  readonly #context: GroupContext;
  readonly #rules: readonly RunningRule[];
  readonly #stopping = new AbortController();
  #finished: Promise<void> = Promise.resolve();
  #lastEvaluationMillis = 0;
  #evaluationSeconds = 0;

  /** `alertsOf` returns the alerts of a rule by its key. */
  constructor(
    config: RuleGroupConfig,
    context: GroupContext,
    alertsOf: (key: string) => AlertMap | undefined,
  ) {
    this.config = config;
    this.#context = context;
    const keys = ruleKeys(config);
    this.#rules = config.rules.map((rule, i) => ({
      config: rule,
      key: keys[i],
      alerts: alertsOf(keys[i]) ?? new Map<string, Alert>(),
      health: 'unknown',
      lastError: '',
      lastEvaluationMillis: 0,
      evaluationSeconds: 0,
    }));
  }

  start(): void {
    this.#finished = this.#run();
  }

  /** Aborts the current evaluation and waits for its end; idempotent. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#finished;
  }

  status(): RuleGroupStatus {
    return {
      config: this.config,
      rules: this.#rules.map((rule) => ({ ...rule, alerts: [...rule.alerts.values()] })),
      lastEvaluationMillis: this.#lastEvaluationMillis,
      evaluationSeconds: this.#evaluationSeconds,
    };
  }

  /** Yields the alerts by rule. */
  *alerts(): Generator<{
    readonly key: string;
    readonly rule: AlertRuleConfig;
    readonly alerts: AlertMap;
  }> {
    for (const { key, config, alerts } of this.#rules) {
      if (config.kind === 'alert') yield { key, rule: config, alerts };
    }
  }

  async #run(): Promise<void> {
    const { clock } = this.#context;
    const { signal } = this.#stopping;
    const { intervalMillis } = this.config;
    let last = 0;
    while (!signal.aborted) {
      const nowMillis = clock.nowMillis();
      const due = nextDue(this.config, Math.max(last, nowMillis));
      try {
        await sleep(clock, due - nowMillis, signal);
      } catch {
        return;
      }
      // Rules continue even if the wall clock is set back.
      last = Math.min(due, clock.nowMillis());
      await this.evaluate(due);
      const missed = Math.floor((clock.nowMillis() - due) / intervalMillis);
      // Adding 0 creates the series now, because a rate would miss the first event of a new series.
      const label = { rule_group: groupKey(this.config) };
      this.#context.metrics.missed.add(Math.max(0, missed), label);
    }
  }

  /** Evaluates all rules at a given time; never rejects. */
  async evaluate(atMillis: number): Promise<void> {
    const { clock, metrics, onEvaluated } = this.#context;
    const label = { rule_group: groupKey(this.config) };
    const start = clock.monotonicMillis();
    for (const rule of this.#rules) {
      if (this.#stopping.signal.aborted) return;
      await this.#evaluateRule(rule, atMillis);
      metrics.evaluations.add(1, label);
      metrics.failures.add(rule.health === 'err' ? 1 : 0, label);
    }
    this.#lastEvaluationMillis = atMillis;
    this.#evaluationSeconds = (clock.monotonicMillis() - start) / 1000;
    metrics.duration.set(this.#evaluationSeconds, label);
    onEvaluated();
  }

  async #evaluateRule(rule: RunningRule, atMillis: number): Promise<void> {
    const { clock, engine, listMarks, logger } = this.#context;
    const { config } = rule;
    const start = clock.monotonicMillis();
    const deadline = new AbortController();
    const timer = clock.setTimer(evaluationMillisMax, () => deadline.abort());
    const caller: QueryCaller = {
      signal: AbortSignal.any([this.#stopping.signal, deadline.signal]),
      caller: rulesCaller,
      tags: ['rules'],
    };
    const timeNanos = BigInt(Math.round(atMillis - this.config.offsetMillis)) * 1_000_000n;
    try {
      const ask = askEngine(engine, timeNanos, caller, listMarks);
      const samples = await evaluate(config.expression, ask);
      if (config.kind === 'alert') {
        rule.alerts = this.#nextAlerts(rule.alerts, config, samples, atMillis);
      } else {
        await recordSamples(
          samples,
          { group: this.config, rule: config },
          timeNanos,
          this.#context,
        );
      }
      rule.health = 'ok';
      rule.lastError = '';
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      // After an error, the alerts stay unchanged.
      const message = errorMessage(error);
      // Logged once, because the next evaluations usually fail in the same way.
      if (message !== rule.lastError) {
        logger.warn('cannot evaluate rule', { rule: config.name, error: message });
      }
      rule.health = 'err';
      rule.lastError = message;
    } finally {
      timer.cancel();
    }
    rule.lastEvaluationMillis = atMillis;
    rule.evaluationSeconds = (clock.monotonicMillis() - start) / 1000;
  }

  #nextAlerts(
    before: AlertMap,
    rule: AlertRuleConfig,
    samples: Vector,
    atMillis: number,
  ): AlertMap {
    const { externalLabels, isDelivered, linkTo } = this.#context;
    const context = { group: this.config, rule, externalLabels, link: linkTo(rule) };
    return nextAlerts(before, samples, context, atMillis, (key, alert) =>
      isDelivered(key, alert, rule),
    );
  }
}

/** Caller name of rules in the query queue. */
const rulesCaller = 'rules';

/** Returns the name of a group in metrics and messages, as in Prometheus. */
export function groupKey({ file, name }: RuleGroupConfig): string {
  return `${file};${name}`;
}

/** Returns the key of each rule: group, name, labels, and its number among equal rules. */
function ruleKeys(config: RuleGroupConfig): string[] {
  const counts = new Map<string, number>();
  return config.rules.map(({ name, labels }) => {
    const shown = labels.map((label) => `${label.name}=${label.template.text}`).join(',');
    const key = `${groupKey(config)};${name};${shown}`;
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return `${key};${count}`;
  });
}

/** Returns the first time after `nowMillis` at which a group is due. */
function nextDue(config: RuleGroupConfig, nowMillis: number): number {
  const { intervalMillis } = config;
  const offset = hashName(groupKey(config)) % intervalMillis;
  return Math.floor((nowMillis - offset) / intervalMillis + 1) * intervalMillis + offset;
}

/** Returns the 32-bit FNV-1a hash, which spreads groups over their interval. */
function hashName(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  }
  return hash;
}
