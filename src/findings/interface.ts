// Findings: changes of services that the server detects by itself, as shown by the API.
import type { Measure } from './statistics/windows.ts';

/** Cause of a change. */
export type FindingKind = 'deploy' | 'mark' | 'unexplained' | 'drift';

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
  /** Share of the service's CPU time before and after the change. */
  readonly before: number;
  readonly after: number;
  /** Change of the cost as a share of the service, and half the width of its 95 % interval. */
  readonly cost: number;
  readonly halfWidth: number;
  /** Change of the cost in cores, with the same interval. */
  readonly cores: number;
}

/** A change of a service. Times are in milliseconds since the epoch. */
export interface Finding {
  /** 16 hexadecimal digits. */
  readonly id: string;
  readonly kind: FindingKind;
  readonly service: ServiceName;
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

/** All findings of a server. */
export interface Findings {
  /** Returns the findings, newest first. */
  list(): readonly Finding[];
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
