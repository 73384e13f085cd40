// The thread that makes large reports.
import { lowerThreadPriority } from '../../src/base/node/thread-priority.ts';
import { serveReports } from '../../src/query/report-worker.ts';
import { createReportMaker } from '../report-maker.ts';

lowerThreadPriority('awaited');
serveReports(createReportMaker());
