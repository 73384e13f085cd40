// Sends findings as alerts, to the same receivers as the alerts of rules.
import { createLabelSet, type LabelSet, labelSetKey } from '../model/labels.ts';
import type { DiffSelector } from '../query/interface.ts';
import { comparedTimes } from './compared-times.ts';
import { findingSentence } from './finding-text.ts';
import { type Finding, isRegression } from './interface.ts';
import { resolvedAlertMillis } from './limits.ts';

/** Name of the alerts for findings. */
const findingAlertName = 'RegressionFound';

/** Alert for a finding. It has the same fields as an alert of a rule. */
export interface FindingAlert {
  readonly key: string;
  readonly labels: LabelSet;
  readonly annotations: LabelSet;
  readonly activeMillis: number;
  /** Change of the cost as a share of the service. */
  readonly value: number;
  readonly isResolved: boolean;
  readonly endMillis: number;
  readonly link: string;
  /** Returns what a picture of the alert compares. */
  readonly compared: () => DiffSelector;
}

/** Milliseconds after which an alert counts as resolved unless it is sent again. */
const validMillis = 600_000;

/**
 * Returns alerts for the regressions. The alert of an acknowledged regression is resolved, because
 * somebody is already dealing with it.
 */
export function findingAlerts(
  findings: readonly Finding[],
  nowMillis: number,
  externalUrl: string,
): FindingAlert[] {
  return findings.flatMap((finding): FindingAlert[] => {
    const { id, resource, service, functions, kind, state, stateMillis, foundMillis, version } =
      finding;
    const isResolved = state !== 'open';
    const isOld = isResolved && nowMillis - stateMillis > resolvedAlertMillis;
    if (!isRegression(finding) || isOld) return [];
    const labels = createLabelSet(
      Object.entries({
        alertname: findingAlertName,
        finding: id,
        [service.label]: service.name,
        function: functions[0].name,
        kind,
        resource: resource === 'cpu' ? '' : resource,
        version,
      })
        .filter(([, value]) => value !== '')
        .map(([name, value]) => ({ name, value })),
    );
    return [
      {
        key: labelSetKey(labels),
        labels,
        annotations: createLabelSet([{ name: 'summary', value: findingSentence(finding) }]),
        activeMillis: foundMillis,
        value: functions[0].cost,
        isResolved,
        endMillis: isResolved ? stateMillis : nowMillis + validMillis,
        link: `${externalUrl}/findings#${id}`,
        compared: () => comparedTimes(finding),
      },
    ];
  });
}
