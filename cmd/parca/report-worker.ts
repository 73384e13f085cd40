// The thread that makes large reports.
import { serveReports } from '../../src/query/report-worker.ts';
import { createReportMaker } from '../report-maker.ts';

serveReports(createReportMaker());
