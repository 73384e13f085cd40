// Thread that builds large reports.
import { reportGarbageBytesMax } from '../../../src/base/limits.ts';
import { createReceiptCollector } from '../../../src/base/node/memory.ts';
import { lowerThreadPriority } from '../../../src/base/node/thread-priority.ts';
import { serveReports } from '../../../src/query/report/report-worker.ts';
import { createReportMaker } from '../../../src/api/reports/report-maker.ts';

lowerThreadPriority('awaited');
serveReports(createReportMaker(), createReceiptCollector(reportGarbageBytesMax));
