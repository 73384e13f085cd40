// The thread that makes large reports.
import { reportGarbageBytesMax } from '../../src/base/limits.ts';
import { createCollector } from '../../src/base/node/memory.ts';
import { lowerThreadPriority } from '../../src/base/node/thread-priority.ts';
import { serveReports } from '../../src/query/report/report-worker.ts';
import { createReportMaker } from '../report-maker.ts';

lowerThreadPriority('awaited');
serveReports(createReportMaker, createCollector(reportGarbageBytesMax));
