// Requests rules and their alerts, with the same paths as Prometheus.
import { getJson } from './json.ts';

export type AlertState = 'firing' | 'pending';

/** An alert; values are formatted as in Go. */
export interface AlertAnswer {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly state: AlertState;
  readonly activeAt: string;
  readonly value: string;
}

export interface RuleAnswer {
  readonly name: string;
  readonly state: AlertState | 'inactive';
  /** Expression as written. */
  readonly query: string;
  /** First query of the expression; "" if it has none. */
  readonly firstQuery: string;
  /** Seconds for which the expression must be true. */
  readonly duration: number;
  readonly alerts: readonly AlertAnswer[];
  readonly health: 'unknown' | 'ok' | 'err';
  readonly lastError?: string;
}

export interface RuleGroupAnswer {
  readonly name: string;
  readonly file: string;
  /** Seconds between two evaluations. */
  readonly interval: number;
  readonly rules: readonly RuleAnswer[];
}

/** Lists the alerts for findings, which do not come from rules. Errors: as in `askRules`. */
export async function askFindingAlerts(
  base: string,
  signal: AbortSignal,
): Promise<readonly AlertAnswer[]> {
  const answer = await getJson(base, 'alerts', new URLSearchParams(), { signal });
  const { data } = answer as { readonly data: { readonly alerts: readonly AlertAnswer[] } };
  return data.alerts.filter(({ labels }) => labels.finding !== undefined);
}

/** Lists groups of rules. Errors: RpcError, also for servers without rules. */
export async function askRules(
  base: string,
  signal: AbortSignal,
): Promise<readonly RuleGroupAnswer[]> {
  const answer = await getJson(base, 'rules', new URLSearchParams({ type: 'alert' }), { signal });
  return (answer as { readonly data: { readonly groups: readonly RuleGroupAnswer[] } }).data.groups;
}
