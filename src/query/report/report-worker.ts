// The worker that report-thread.ts starts: makes reports from copies of dictionaries.
import { parentPort } from 'node:worker_threads';
import { errorCode, errorMessage } from '../../base/errors.ts';
import { asOwned } from '../../base/owned.ts';
import { send } from '../../base/threads/send.ts';
import { addRows } from '../../model/dictionaries/dictionary-copy.ts';
import { Dictionary } from '../../model/dictionary.ts';
import type { ReportMaker, ReportReply, ReportRequest } from './report-thread.ts';

/**
 * Answers requests until the thread is ended. Calls `afterAnswer` after each answer, with the total
 * number of bytes that were sent to the thread.
 */
export function serveReports(
  make: ReportMaker,
  afterAnswer: (receivedBytes: number) => void,
): void {
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
      const merges = request.merges.map(({ facts, groups, dictionary }) => {
        const copy = dictionary === undefined ? undefined : copies.get(dictionary);
        return { ...facts, stacks: { dictionary: copy, groups } };
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
  parentPort?.on('message', (request: ReportRequest) => {
    if (request.kind === 'forget') copies.delete(request.dictionary);
    else void answer(request).then(reply);
  });
}

/**
 * Sends a reply and transfers its bytes. If the bytes must be copied first, this thread copies
 * them, because copying several megabytes would block the main thread.
 */
function sendReply(reply: ReportReply): void {
  if (!('bytes' in reply)) {
    send(parentPort, reply);
    return;
  }
  const bytes = asOwned(reply.bytes);
  send(parentPort, { ...reply, bytes }, [bytes]);
}
