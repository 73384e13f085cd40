// Encodes values by address as JSON, which the report thread sends to the assembly route.
import { AppError } from '../../base/errors.ts';
import type { Report } from '../../query/interface.ts';

/** Values by address, in the form in which threads exchange them: int64 values are strings. */
export interface InstructionsJson {
  readonly unit: string;
  readonly total: string;
  readonly coveredNanos: string;
  readonly snapshots: number;
  readonly builds: readonly {
    readonly buildId: string;
    readonly binary: string;
    readonly cumulative: string;
  }[];
  /** Build id of the binary that contains the addresses. */
  readonly buildId?: string | undefined;
  readonly addresses: readonly {
    readonly address: number;
    readonly start: number;
    readonly limit: number;
    readonly offset: number;
    readonly flat: string;
    readonly cumulative: string;
  }[];
}

/** Encodes an 'instructions' report. */
export function encodeInstructions(report: Report): Uint8Array {
  if (report.kind !== 'instructions') throw new AppError('internal', `got a ${report.kind} report`);
  const { code, valueType, total, durationNanos, snapshots } = report;
  const json: InstructionsJson = {
    unit: valueType.unit,
    total: String(total),
    coveredNanos: String(durationNanos),
    snapshots,
    builds: code.builds.map(({ buildId, binary, cumulative }) => ({
      buildId,
      binary,
      cumulative: String(cumulative),
    })),
    buildId: code.buildId,
    addresses: code.addresses.map(({ address, start, limit, offset, flat, cumulative }) => ({
      address,
      start,
      limit,
      offset,
      flat: String(flat),
      cumulative: String(cumulative),
    })),
  };
  return Buffer.from(JSON.stringify(json));
}
