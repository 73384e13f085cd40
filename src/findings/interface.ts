// Findings: changes of services that were found without being asked for, as the API shows them.
import type { Measure } from './statistics/windows.ts';

/** Origin of a change. */
export type FindingKind = 'deploy' | 'mark' | 'unexplained' | 'drift';

export type FindingState = 'open' | 'acknowledged' | 'resolved';

/** A service as pages list it: the value of a label. */
export interface ServiceName {
  readonly label: string;
  readonly name: string;
}

/** A function whose cost changed. */
export interface FindingFunction {
  readonly name: string;
  readonly measure: Measure;
  /** Shares in the service on both sides. */
  readonly before: number;
  readonly after: number;
  /** Change of its cost as a share of the service, and half of its interval of 95 %. */
  readonly cost: number;
  readonly halfWidth: number;
  /** The same in cores. */
  readonly cores: number;
}

/** A change of a service that was found. Times are milliseconds since the epoch. */
export interface Finding {
  /** 16 hexadecimal digits. */
  readonly id: string;
  readonly kind: FindingKind;
  readonly service: ServiceName;
  /** Time of the change; of a drift, its start. */
  readonly timeMillis: number;
  readonly foundMillis: number;
  /** Time from which the function was changed completely. */
  readonly doneMillis: number;
  /** Version that came, and the one before it; of a mark, its text. "" for the other kinds. */
  readonly version: string;
  readonly versionBefore: string;
  /** Label that names versions; "" for the other kinds. */
  readonly versionLabel: string;
  /** Changed functions, the one whose cost changed most first; never empty. */
  readonly functions: readonly FindingFunction[];
  readonly state: FindingState;
  /** Time of the last change of the state. */
  readonly stateMillis: number;
  /** Reason for the end: the change was undone, or has become the usual state. */
  readonly resolution: '' | 'undone' | 'usual';
}

/** The findings of a server. */
export interface Findings {
  /** Returns the findings, the newest first. */
  list(): readonly Finding[];
  /**
   * Acknowledges a finding, or opens it again, durably. Errors: AppError 'not-found';
   * 'failed-precondition' if it is resolved; those of the disk.
   */
  acknowledge(id: string, isAcknowledged: boolean): Promise<Finding>;
}

/** Returns true for more cost, which is what somebody has to be told. */
export function isRegression({ functions: [first] }: Finding): boolean {
  return first.cost > 0;
}
