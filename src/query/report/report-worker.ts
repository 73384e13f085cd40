// The worker side of report-thread.ts: makes reports of copies of dictionaries.
import { parentPort } from 'node:worker_threads';
import { errorCode, errorMessage } from '../../base/errors.ts';
import { asOwned } from '../../base/owned.ts';
import { send } from '../../base/threads/send.ts';
import { threadData } from '../../base/threads/unbroken.ts';
import { addRows } from '../../model/dictionary-copy.ts';
import { Dictionary } from '../../model/dictionary.ts';
import { KeptReports } from './kept-reports.ts';
import type { ReportMaker, ReportReply, ReportRequest, ReportThreadData } from './report-thread.ts';

/**
 * Answers requests until the thread is ended. Caches parts of reports for its maker. `afterAnswer`
 * is called after each answer with the total of bytes that the thread was sent.
 */
export function serveReports(
  createMaker: (kept: KeptReports) => ReportMaker,
  afterAnswer: (receivedBytes: number) => void,
): void {
  const kept = new KeptReports((threadData() as ReportThreadData).keptBytesMax);
  const make = createMaker(kept);
  const copies = new Map<number, Dictionary>();
  let receivedBytes = 0;
  const answer = async (
    request: Extract<ReportRequest, { kind: 'make' }>,
  ): Promise<ReportReply> => {
    try {
      for (const { dictionary, rows } of request.added) {
        const copy = copies.get(dictionary) ?? new Dictionary([0, 0, 0]);
        copies.set(dictionary, copy);
        addRows(copy, rows);
        for (const { byteLength } of rows.columns) receivedBytes += byteLength;
      }
      const merges = request.merges.map(({ number, facts, groups, dictionary }) => {
        const copy = dictionary === undefined ? undefined : copies.get(dictionary);
        return { ...facts, number, stacks: { dictionary: copy, groups } };
      });
      return await make(request.plan, merges, request.encoding);
    } catch (error) {
      return { code: errorCode(error), message: errorMessage(error) };
    }
  };
  const reply = (answered: ReportReply): void => {
    sendReply(answered);
    afterAnswer(receivedBytes);
  };
  const forget = (number: number): void => {
    kept.forget(copies.get(number) ?? number);
    copies.delete(number);
  };
  parentPort?.on('message', (request: ReportRequest) => {
    if (request.kind === 'forget') forget(request.number);
    else void answer(request).then(reply);
  });
}

/**
 * Sends a reply. Transfers its bytes, of which a copy is made here if need be, as a copy of some
 * megabytes would block the main thread.
 */
function sendReply(reply: ReportReply): void {
  if (!('bytes' in reply)) {
    send(parentPort, reply);
    return;
  }
  const bytes = asOwned(reply.bytes);
  send(parentPort, { ...reply, bytes }, [bytes]);
}
