// Makes encoded reports: in the thread of reports, and small ones on the main thread.
import { encodeReport } from '../src/api/encode-report.ts';
import { encodeExport } from '../src/api/export.ts';
import { ReportBuilder } from '../src/query/report-answer.ts';
import type { ReportMaker } from '../src/query/report-thread.ts';

/** A maker with scratch memory of its own. Encodings: 'message', and the formats of exports. */
export function createReportMaker(): ReportMaker {
  const builder = new ReportBuilder();
  return async (question, merges, encoding) => {
    const report = builder.build(question, merges);
    const { profileCount, missing } = report;
    const bytes =
      encoding === 'message' ? await encodeReport(report) : await encodeExport(encoding, report);
    return { bytes, profileCount, missing };
  };
}
