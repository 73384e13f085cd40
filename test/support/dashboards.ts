// Reads the dashboards in deploy/grafana, and checks their metric queries.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = new URL('../../deploy/grafana/dashboards/', import.meta.url).pathname;

/** A query of a panel. */
export interface Target {
  readonly refId: string;
  readonly datasource: { readonly type: string; readonly uid: string };
  readonly profileTypeId?: string;
  readonly labelSelector?: string;
  readonly queryType?: string;
  readonly groupBy?: readonly string[];
  readonly limit?: number;
  readonly expr?: string;
  readonly legendFormat?: string;
}

/** A panel: its position in a grid of 24 columns, and its queries. */
export interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: {
    readonly x: number;
    readonly y: number;
    readonly w: number;
    readonly h: number;
  };
  readonly datasource: { readonly type: string; readonly uid: string };
  readonly targets: readonly Target[];
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string } };
}

/** The parts of a dashboard that tests read. */
export interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly schemaVersion: number;
  readonly panels: readonly Panel[];
  readonly templating: {
    readonly list: readonly {
      readonly name: string;
      readonly type: string;
      readonly query: string | Readonly<Record<string, string>>;
    }[];
  };
}

export function readDashboards(): Dashboard[] {
  return readdirSync(folder).map((name): Dashboard =>
    JSON.parse(readFileSync(join(folder, name), 'utf8')),
  );
}

export const listTargets = ({ panels }: Dashboard): readonly Target[] =>
  panels.flatMap(({ targets }) => targets);

/** Returns true if a query reads profiles. */
export const isProfiles = ({ datasource }: Target): boolean =>
  datasource.type === 'grafana-pyroscope-datasource';

/** Returns the PromQL queries. */
export function metricQueries(dashboard: Dashboard): string[] {
  const targets = listTargets(dashboard).filter((target) => !isProfiles(target));
  return targets.map(({ expr = '' }) => expr);
}

/**
 * Checks that the body of /metrics has each metric in a query, with the metric type that the query
 * needs.
 */
export function checkMetricQuery(expr: string, metrics: string): void {
  const names = /(?:(\w+)\()?\b((?:parca|process|prometheus|grpc_(?:client|server))_\w+)/g;
  const found = [...expr.matchAll(names)];
  assert.ok(found.length > 0, expr);
  for (const [, call, name] of found) {
    const [, own, isBucket] = /^(.*?)(_bucket)?$/.exec(name) ?? [];
    const type = new RegExp(`^# TYPE ${own} (\\w+)$`, 'm').exec(metrics)?.[1];
    const kind = /^(?:rate|increase)$/.test(call ?? '') ? 'counter' : 'gauge';
    assert.equal(type, isBucket === undefined ? kind : 'histogram', `${name} of ${expr}`);
  }
}
