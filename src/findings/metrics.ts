// Metrics of the search for findings.
import type { Counter, Metrics } from '../base/metrics.ts';

export interface FindingMetrics {
  readonly questions: Counter;
  readonly failures: Counter;
  readonly searches: Counter;
  readonly found: Counter;
  readonly dropped: Counter;
  readonly seconds: Counter;
}

/** Creates the metrics; `countOpen` returns the number of open regressions. */
export function createFindingMetrics(metrics: Metrics, countOpen: () => number): FindingMetrics {
  metrics.observedGauge(
    'parca_findings_open',
    'Regressions that were found, and that nobody has acknowledged.',
    countOpen,
  );
  return {
    questions: metrics.counter('parca_findings_questions_total', 'Windows that were asked for.'),
    failures: metrics.counter(
      'parca_findings_question_failures_total',
      'Questions about windows or services that failed; they are asked again.',
    ),
    searches: metrics.counter('parca_findings_searches_total', 'Searches of services for changes.'),
    found: metrics.counter('parca_findings_total', 'Changes that were found.', ['kind']),
    dropped: metrics.counter(
      'parca_findings_services_dropped_total',
      'Services that were left out because there are more than the limit.',
    ),
    seconds: metrics.counter(
      'parca_findings_search_seconds_total',
      'Time of searches without the questions.',
    ),
  };
}
