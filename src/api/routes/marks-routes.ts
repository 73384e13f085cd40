// HTTP paths of marks: times that pipelines and people mark, shown in everybody's graphs.
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { isLabelName } from '../../model/labels.ts';
import type { MarkLabels, NewMark, StoredMark, StoredMarks } from '../../shares/interface.ts';
import {
  markBodyBytesMax,
  markLabelLengthMax,
  markLabelsMax,
  markLinkLengthMax,
  markTextLengthMax,
} from '../limits.ts';
import type { TransportContext } from '../transport/call/call.ts';
import { readJsonFields, readString } from '../transport/http/json-fields.ts';
import { readParameters, readTime } from '../transport/http/parameters.ts';
import { pathFields, serveCall, withBody } from '../transport/http/serve-call.ts';

const path = '/api/v1/marks';

/** Adds the paths. `marks` throws AppError 'unavailable' while the server starts. */
export function addMarksRoutes(
  app: FastifyInstance,
  transport: TransportContext,
  marks: () => StoredMarks,
): void {
  const now = (): number => transport.runner.clock.nowMillis();
  app.get(path, (request, reply) =>
    serveCall(
      transport,
      { path: '/parca.http.v1.Marks/List', endsWithCaller: true },
      request,
      reply,
      async () => ({ marks: listMarks(marks().list(), request.url, now()).map(markToJson) }),
      (answer) => reply.send(answer),
    ),
  );
  app.post(path, (request, reply) =>
    serveCall(
      transport,
      { path: '/parca.http.v1.Marks/Add', endsWithCaller: false },
      request,
      reply,
      () => withBody(transport, request, (body) => marks().add(readMark(body, now()))),
      (mark) => reply.send(markToJson(mark)),
    ),
  );
  app.delete(`${path}/:id`, (request, reply) =>
    serveCall(
      transport,
      { path: '/parca.http.v1.Marks/Remove', endsWithCaller: false },
      request,
      reply,
      () => marks().remove(pathFields(request.params).id ?? ''),
      () => reply.code(204).send(),
    ),
  );
}

/**
 * Marks of a server that stores none. The list is empty and not an error, because each page
 * requests it.
 */
export const noMarks: StoredMarks = {
  list: () => [],
  add: () => Promise.reject(keepsNone()),
  remove: () => Promise.reject(keepsNone()),
};

function keepsNone(): AppError {
  return new AppError('unimplemented', 'this server keeps no marks: call one that stores profiles');
}

/** Returns the marks in the range of a URL; by default, all marks. */
function listMarks(
  all: readonly StoredMark[],
  url: string,
  nowMillis: number,
): readonly StoredMark[] {
  const given = readParameters(url, ['start', 'end']);
  const readBound = (name: string, missing: number): number => {
    const value = given.get(name);
    return value === undefined ? missing : toMillis(readTime(name, value, nowMillis));
  };
  const [from, to] = [readBound('start', -Infinity), readBound('end', Infinity)];
  return all.filter(({ timeMillis }) => timeMillis >= from && timeMillis <= to);
}

function toMillis(nanos: bigint): number {
  return Number(nanos / 1_000_000n);
}

const what = 'cannot add a mark';
const fields: readonly string[] = ['text', 'time', 'link', 'labels'];

/** Parses a mark. Errors: AppError 'invalid-argument', 'resource-exhausted'. */
export function readMark(body: Uint8Array, nowMillis: number): NewMark {
  const given = readJsonFields(body, what, fields, markBodyBytesMax);
  const text = readString(given.get('text') ?? '', `${what}: text`, markTextLengthMax);
  if (text.trim() === '') throw invalid('text is missing');
  const time = given.get('time') ?? 'now';
  if (typeof time !== 'string' && typeof time !== 'number') throw invalid('time must be a string');
  const timeMillis = toMillis(readTime('time', String(time), nowMillis));
  return { timeMillis, text, link: readLink(given), labels: readLabels(given.get('labels') ?? {}) };
}

function readLink(given: ReadonlyMap<string, unknown>): string {
  const link = readString(given.get('link') ?? '', `${what}: link`, markLinkLengthMax);
  const protocol = link === '' ? 'https:' : URL.parse(link)?.protocol;
  // A link with another scheme could run a script in the browser of anybody who clicks it.
  if (protocol === 'https:' || protocol === 'http:') return link;
  throw invalid(`link must begin with https:// or http://, got ${JSON.stringify(link)}`);
}

function readLabels(value: unknown): MarkLabels {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('labels must be an object of strings');
  }
  const entries: [string, unknown][] = Object.entries(value);
  if (entries.length > markLabelsMax) {
    throw invalid(`it has ${entries.length} labels, the limit is ${markLabelsMax}`);
  }
  return Object.fromEntries(
    entries.map(([name, label]): [string, string] => {
      if (!isLabelName(name)) throw invalid(`${JSON.stringify(name)} is not a label name`);
      if (typeof label !== 'string') throw invalid(`label ${name} must be a string`);
      if (Math.max(name.length, label.length) > markLabelLengthMax) {
        throw invalid(`label ${name} has more than ${markLabelLengthMax} characters`);
      }
      return [name, label];
    }),
  );
}

function invalid(why: string): AppError {
  return new AppError('invalid-argument', `${what}: ${why}`);
}

function markToJson({ id, timeMillis, text, link, labels }: StoredMark): object {
  return { id, time: new Date(timeMillis).toISOString(), text, link, labels };
}
