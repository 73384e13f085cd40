// Findings: changes of services that the server detects by itself, as shown by the API.
import type { Measure } from './statistics/windows.ts';

/** Cause of a change. */
export type FindingKind = 'deploy' | 'mark' | 'unexplained' | 'drift';

/** Resource that a change costs: CPU time, memory in use, or allocated memory. */
export type FindingResource = 'cpu' | 'memory' | 'allocations';

export type FindingState = 'open' | 'acknowledged' | 'resolved';

/** A service, given by a label and its value. */
export interface ServiceName {
  readonly label: string;
  readonly name: string;
}

/** A function whose cost changed. */
export interface FindingFunction {
  readonly name: string;
  readonly measure: Measure;
  /** Share of the service's resource before and after the change. */
  readonly before: number;
  readonly after: number;
  /** Change of the cost as a share of the service, and half the width of its 95 % interval. */
  readonly cost: number;
  readonly halfWidth: number;
  /**
   * Change of the cost, with the same interval: in cores, bytes, or bytes per second, as in
   * resourceUnits.
   */
  readonly amount: number;
}

/** A change of a service. Times are in milliseconds since the epoch. */
export interface Finding {
  /** 16 hexadecimal digits. */
  readonly id: string;
  readonly kind: FindingKind;
  readonly resource: FindingResource;
  readonly service: ServiceName;
  /** Query for the resource of the service. */
  readonly query: string;
  /** Time of the change, or start of a drift. */
  readonly timeMillis: number;
  readonly foundMillis: number;
  /** Time at which the change was complete. */
  readonly doneMillis: number;
  /** New and old version, or the text of a mark; "" for other kinds. */
  readonly version: string;
  readonly versionBefore: string;
  /** Label that contains the version; "" for other kinds. */
  readonly versionLabel: string;
  /** Changed functions, the function with the largest change first; never empty. */
  readonly functions: readonly FindingFunction[];
  readonly state: FindingState;
  /** Time at which the state last changed. */
  readonly stateMillis: number;
  /** Reason why the finding was resolved: the change was undone, or has become normal. */
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
  /** Returns the reason why this server does not search; undefined if it does. */
  whyNotSearched(): string | undefined;
  /**
   * Acknowledges a finding or opens it again, durably. Errors: AppError 'not-found';
   * 'failed-precondition' if it is resolved; errors of the disk.
   */
  acknowledge(id: string, isAcknowledged: boolean): Promise<Finding>;
}

/** Returns true if the cost rose, which deserves an alert. */
export function isRegression({ functions: [first] }: Finding): boolean {
  return first.cost > 0;
}
