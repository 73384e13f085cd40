// Updates the alerts of a rule at each evaluation: pending, firing, resolved, as in Prometheus.
import { AppError, errorMessage } from '../base/errors.ts';
import {
  createLabelSet,
  formatLabels,
  type Label,
  type LabelSet,
  labelSetKey,
} from '../model/labels.ts';
import { type Sample, type Vector, withoutName } from './evaluate.ts';
import type { Alert, AlertRuleConfig, RuleGroupConfig } from './interface.ts';
import { resolvedMillis, resultSamplesMax, undeliveredMillisMax } from './limits.ts';
import type { Template } from './template.ts';

/** Label for the name of the rule. */
export const alertNameLabel = 'alertname';

/** Data from which the labels of a rule's alerts are made. */
export interface AlertContext {
  readonly group: RuleGroupConfig;
  readonly rule: AlertRuleConfig;
  readonly externalLabels: LabelSet;
  readonly link: string;
}

/** Alerts by the key of their labels. */
export type AlertMap = ReadonlyMap<string, Alert>;

/**
 * Returns the alerts after an evaluation at `nowMillis` with the result `samples`. Resolved alerts
 * are kept until `isDelivered` returns true, and at least for `resolvedMillis`.
 *
 * Errors: AppError 'invalid-argument' if two samples have the same labels after adding the rule's
 * labels; 'resource-exhausted' for more alerts than the group's limit. After an error, the alerts
 * are unchanged.
 */
export function nextAlerts(
  before: AlertMap,
  samples: Vector,
  context: AlertContext,
  nowMillis: number,
  isDelivered: (key: string, alert: Alert) => boolean,
): Map<string, Alert> {
  const { rule, group } = context;
  const found = labelled(samples, context);
  const limit = group.limit > 0 ? group.limit : resultSamplesMax;
  if (found.size > limit) {
    const why = `${found.size} alerts, the limit of the group is ${limit}`;
    throw new AppError('resource-exhausted', `cannot evaluate rule: it gives ${why}`);
  }
  const next = new Map<string, Alert>();
  for (const [key, alert] of before) {
    if (found.has(key)) continue;
    const kept = alertWithoutSample(alert, rule, nowMillis);
    if (kept === undefined || isForgotten(kept, key, nowMillis, isDelivered)) continue;
    next.set(key, kept);
  }
  for (const [key, fresh] of found) {
    const known = before.get(key);
    const isActive = known !== undefined && known.state !== 'inactive';
    const activeMillis = isActive ? known.activeMillis : nowMillis;
    const isFiring =
      (isActive && known.state === 'firing') || nowMillis - activeMillis >= rule.forMillis;
    next.set(key, {
      labels: fresh.labels,
      annotations: fresh.annotations,
      value: fresh.value,
      state: isFiring ? 'firing' : 'pending',
      activeMillis,
      keptSinceMillis: undefined,
      firedMillis: isFiring ? ((isActive ? known.firedMillis : undefined) ?? nowMillis) : undefined,
      resolvedMillis: undefined,
    });
  }
  return next;
}

/**
 * Returns the next state of an alert whose expression is no longer true; undefined if it was only
 * pending.
 */
function alertWithoutSample(
  alert: Alert,
  { keepFiringMillis }: AlertRuleConfig,
  nowMillis: number,
): Alert | undefined {
  if (alert.state === 'pending') return undefined;
  if (alert.state === 'inactive') return alert;
  const keptSinceMillis = alert.keptSinceMillis ?? nowMillis;
  if (nowMillis - keptSinceMillis < keepFiringMillis) return changed(alert, { keptSinceMillis });
  return changed(alert, { state: 'inactive', resolvedMillis: nowMillis });
}

function changed(alert: Alert, change: Partial<Alert>): Alert {
  return { ...alert, ...change };
}

function isForgotten(
  alert: Alert,
  key: string,
  nowMillis: number,
  isDelivered: (key: string, alert: Alert) => boolean,
): boolean {
  if (alert.resolvedMillis === undefined) return false;
  const age = nowMillis - alert.resolvedMillis;
  if (age > undeliveredMillisMax) return true;
  return age > resolvedMillis && isDelivered(key, alert);
}

/** Returns the samples with the labels and annotations of their alerts, by key. */
function labelled(
  samples: Vector,
  context: AlertContext,
): Map<string, Pick<Alert, 'labels' | 'annotations' | 'value'>> {
  const found = new Map<string, Pick<Alert, 'labels' | 'annotations' | 'value'>>();
  for (const sample of samples) {
    const labels = alertLabels(sample, context);
    const key = labelSetKey(labels);
    if (found.has(key)) {
      const why = `several samples have the labels ${formatLabels(labels)} of an alert`;
      throw new AppError('invalid-argument', `cannot evaluate rule: ${why}`);
    }
    const annotations = createLabelSet(
      context.rule.annotations.map(({ name, template }) => ({
        name,
        value: expandOr(template, sample, context),
      })),
    );
    found.set(key, { labels, annotations, value: sample.value });
  }
  return found;
}

function alertLabels(sample: Sample, context: AlertContext): LabelSet {
  const { group, rule } = context;
  const labels = new Map(withoutName(sample.labels).map(({ name, value }) => [name, value]));
  for (const { name, value } of group.labels) labels.set(name, value);
  for (const { name, template } of rule.labels) {
    labels.set(name, expandOr(template, sample, context));
  }
  labels.set(alertNameLabel, rule.name);
  return createLabelSet([...labels].map(([name, value]): Label => ({ name, value })));
}

/** Returns the expanded template, or the error as in Prometheus. */
function expandOr(
  template: Template,
  { labels, value }: Sample,
  { externalLabels, link }: AlertContext,
): string {
  try {
    return template.expand({ labels, value, externalLabels, link });
  } catch (error) {
    return `<error expanding template: ${errorMessage(error)}>`;
  }
}
