// Makes encoded reports: small ones on the main thread, others in the report thread.
import { encodePyroscope, isPyroscopeEncoding } from '../query/pyroscope/encode-answer.ts';
import { encodeReport } from '../query/encode-report.ts';
import { encodeChangesText } from '../routes/changes.ts';
import { encodeInstructions } from '../routes/encode-instructions.ts';
import { encodeExport } from '../routes/export.ts';
import { changesMax } from '../../base/limits.ts';
import { reportMemoryBytesMax } from '../limits.ts';
import { ReusedMemory } from '../../model/column-memory.ts';
import {
  encodeLargestFunctions,
  encodeLargestNames,
} from '../../query/functions/largest-functions.ts';
import type { Report, ReportEncoding } from '../../query/interface.ts';
import type { BuildPlan } from '../../query/plan/build-plan.ts';
import { ReportBuilder } from '../../query/report/report-answer.ts';
import type { ReportMaker } from '../../query/report/report-thread.ts';

/** Creates a maker with its own scratch memory. */
export function createReportMaker(): ReportMaker {
  const builder = new ReportBuilder();
  let spare: ReusedMemory | undefined;
  return async (plan, merges, encoding) => {
    // The next report may be made while this one is compressed, so each report has its own memory.
    const memory = spare ?? new ReusedMemory(reportMemoryBytesMax);
    spare = undefined;
    try {
      const report = builder.build(plan, merges, memory);
      const { profileCount, missing, nameGaps, notes } = report;
      const bytes = await encode(report, encoding, plan, memory);
      return { bytes, profileCount, missing, nameGaps, notes };
    } finally {
      memory.reuse();
      spare = memory;
    }
  };
}

function encode(
  report: Report,
  encoding: ReportEncoding,
  plan: BuildPlan,
  memory: ReusedMemory,
): Promise<Uint8Array> | Uint8Array {
  if (encoding === 'message') return encodeReport(report, memory);
  if (encoding === 'json') {
    return report.kind === 'instructions'
      ? encodeInstructions(report)
      : encodeChangesText(report, plan.limit ?? changesMax);
  }
  if (encoding === 'names') return encodeLargestNames(report, plan);
  if (encoding === 'functions') return encodeLargestFunctions(report, plan);
  return isPyroscopeEncoding(encoding)
    ? encodePyroscope(encoding, report)
    : encodeExport(encoding, report);
}
