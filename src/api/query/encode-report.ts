// Encodes reports as QueryResponse messages.
import Long from 'long';
import protobuf from 'protobufjs/minimal.js';
import { parca } from '../../../proto/gen/query.js';
import { createOwnedBuffer } from '../../base/owned.ts';
import { type ColumnMemory, ownMemory } from '../../model/column-memory.ts';
import { nameGapSentences } from '../../model/name-gaps.ts';
import { formatProfileType } from '../../model/profile-type.ts';
import type { AnswerFacts, Report } from '../../query/interface.ts';
import type { SearchTotals } from '../../report/name-search.ts';

import { encodeBody, type Response } from './report-encodings.ts';
import { toLong } from './to-long.ts';

const messages = parca.query.v1alpha1;

/** Number of the field that holds the record, unless the body states another number. */
const firstField = 1;

/**
 * Encodes a report as a QueryResponse. A record is built in `memory`, and then copied once, into
 * the message.
 */
export async function encodeReport(
  report: Report,
  memory: ColumnMemory = ownMemory,
): Promise<Uint8Array> {
  const body = await encodeBody(report, memory);
  const head = {
    ...encodeFacts(report),
    ...(report.base && { base: encodeFacts(report.base) }),
    ...(report.load && { load: { ...report.load } }),
    ...(report.search && { search: encodeSearch(report.search) }),
    ...trimmedCounts(report),
    warnings: [...report.missing, ...nameGapSentences(report.nameGaps), ...report.notes],
    profileTypes: report.profileTypes.map(formatProfileType),
  };
  if (!('field' in body)) return messages.QueryResponse.encode({ ...body, ...head }).finish();
  const { field, record, others, recordField = firstField } = body;
  const recordHead = fieldHead(recordField, record.byteLength);
  const pieces = [
    messages.QueryResponse.encode(head).finish(),
    fieldHead(field, others.length + recordHead.length + record.byteLength),
    others,
    recordHead,
  ];
  const recordStart = pieces.reduce((sum, { length }) => sum + length, 0);
  const message = new Uint8Array(createOwnedBuffer(recordStart + record.byteLength));
  let at = 0;
  for (const piece of pieces) {
    message.set(piece, at);
    at += piece.length;
  }
  record.moveTo(message, recordStart);
  return message;
}

/** Returns the tag and length of a field of bytes. */
function fieldHead(field: number, byteLength: number): Uint8Array {
  return protobuf.Writer.create()
    .uint32((field << 3) | 2)
    .uint32(byteLength)
    .finish();
}

/** Encodes the trimmed value and zoomed frames, which only flame graphs have. */
function trimmedCounts(report: Report): Pick<Response, 'trimmed' | 'zoomedFrames'> {
  const { kind } = report;
  const isFlameGraph =
    kind === 'flame-graph' || kind === 'nested-flame-graph' || kind === 'flame-graph-table';
  if (!isFlameGraph) return {};
  const { trimmed, zoomedFrames } = report.graph;
  return { trimmed: toLong(trimmed), zoomedFrames };
}

function encodeSearch(totals: SearchTotals): parca.query.v1alpha1.SearchTotals.$Properties {
  const { cumulativeDiff = 0n, flatDiff = 0n } = totals;
  return {
    cumulative: toLong(totals.cumulative),
    flat: toLong(totals.flat),
    cumulativeDiff: toLong(cumulativeDiff),
    flatDiff: toLong(flatDiff),
    names: totals.nameCount,
  };
}

function encodeFacts(facts: AnswerFacts): parca.query.v1alpha1.AnswerFacts.$Properties {
  return {
    total: toLong(facts.total),
    filtered: toLong(facts.filtered),
    profileCount: Long.fromNumber(facts.profileCount),
    sampleCount: toLong(facts.sampleCount),
    coveredNanos: toLong(facts.durationNanos),
    period: toLong(facts.period),
    snapshots: facts.snapshots,
  };
}
