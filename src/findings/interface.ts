// Findings: changes of services that the server has found by itself. The API shows them in this
// form.
import type { Measure } from './statistics/windows.ts';

/** Cause of a change. */
export type FindingKind = 'deploy' | 'mark' | 'unexplained' | 'drift';

/** Resource whose use has changed: CPU time, memory in use, or allocated memory. */
export type FindingResource = 'cpu' | 'memory' | 'allocations';

export type FindingState = 'open' | 'acknowledged' | 'resolved';

/** A service, identified by a label and its value. */
export interface ServiceName {
  readonly label: string;
  readonly name: string;
}

/** A function whose cost has changed. */
export interface FindingFunction {
  readonly name: string;
  readonly measure: Measure;
  /** Share of the service's use before the change, and after it. */
  readonly before: number;
  readonly after: number;
  /**
   * Change of the cost as a share of the service's use, and half the width of its 95 % interval.
   */
  readonly cost: number;
  readonly halfWidth: number;
  /**
   * The same change in the unit of the resource (see resourceUnits): cores, bytes, or bytes per
   * second.
   */
  readonly amount: number;
}

/** A change of a service. All times are in Unix milliseconds. */
export interface Finding {
  /** 16 hexadecimal digits. */
  readonly id: string;
  readonly kind: FindingKind;
  readonly resource: FindingResource;
  readonly service: ServiceName;
  /** Query that selects the resource use of the service. */
  readonly query: string;
  /** Time of the change; for a drift, its start. */
  readonly timeMillis: number;
  readonly foundMillis: number;
  /** Time at which the change was complete. */
  readonly doneMillis: number;
  /** New and old version. For a mark, `version` is its text; both are "" for other kinds. */
  readonly version: string;
  readonly versionBefore: string;
  /** Label that contains the version; "" for other kinds. */
  readonly versionLabel: string;
  /** Changed functions, never empty; the one that probably caused the change is first. */
  readonly functions: readonly FindingFunction[];
  readonly state: FindingState;
  /** Time at which the state last changed. */
  readonly stateMillis: number;
  /**
   * Reason why the finding was resolved: the change was undone, or has become normal after
   * some time.
   */
  readonly resolution: '' | 'undone' | 'usual';
}

/** Units of amounts. */
export const resourceUnits: Readonly<Record<FindingResource, string>> = {
  cpu: 'cores',
  memory: 'bytes',
  allocations: 'bytes/second',
};

/** All findings of a server. */
export interface Findings {
  /** Returns the findings, newest first. */
  list(): readonly Finding[];
  /** Returns the reason why this server does not search for changes; undefined if it does. */
  whyNotSearched(): string | undefined;
  /**
   * Acknowledges a finding, or opens it again. The state is durable when the promise resolves.
   * Errors: AppError 'not-found'; 'failed-precondition' if the finding is resolved; I/O errors.
   */
  acknowledge(id: string, isAcknowledged: boolean): Promise<Finding>;
}

/** Returns true if the cost has risen. Only such findings cause alerts. */
export function isRegression({ functions: [first] }: Finding): boolean {
  return first.cost > 0;
}
