// Metrics of rules, with Prometheus' names.
import type { Counter, Gauge, Metrics } from '../base/metrics.ts';

export interface RuleMetrics {
  readonly evaluations: Counter;
  readonly failures: Counter;
  readonly missed: Counter;
  readonly duration: Gauge;
}

export function createRuleMetrics(metrics: Metrics): RuleMetrics {
  const labels = ['rule_group'];
  return {
    evaluations: metrics.counter(
      'prometheus_rule_evaluations_total',
      'Evaluations of rules.',
      labels,
    ),
    failures: metrics.counter(
      'prometheus_rule_evaluation_failures_total',
      'Evaluations of rules that failed.',
      labels,
    ),
    missed: metrics.counter(
      'prometheus_rule_group_iterations_missed_total',
      'Evaluations of groups that were left out because the one before took too long.',
      labels,
    ),
    duration: metrics.gauge(
      'prometheus_rule_group_last_duration_seconds',
      'Time of the last evaluation of a group.',
      labels,
    ),
  };
}

/** Counters of messages by recipient, with Prometheus' names. */
export interface NotifierMetrics {
  readonly sent: Counter;
  readonly errors: Counter;
  readonly refused: Counter;
  readonly picturesFailed: Counter;
}

export function createNotifierMetrics(metrics: Metrics): NotifierMetrics {
  const labels = ['alertmanager'];
  return {
    sent: metrics.counter('prometheus_notifications_sent_total', 'Alerts that were taken.', labels),
    errors: metrics.counter(
      'prometheus_notifications_errors_total',
      'Messages that failed and are sent again.',
      labels,
    ),
    refused: metrics.counter(
      'prometheus_notifications_dropped_total',
      'Alerts that were refused for good.',
      labels,
    ),
    picturesFailed: metrics.counter(
      'parca_notification_pictures_failed_total',
      'Messages that were sent without their picture, because it could not be drawn.',
      labels,
    ),
  };
}
