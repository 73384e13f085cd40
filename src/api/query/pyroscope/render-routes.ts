// Pyroscope's older HTTP paths: flame graphs with timelines as JSON, and label values.
import type { FastifyInstance, FastifyReply } from 'fastify';
import Long from 'long';
import { dotNodesUsual, askDot, askGraph, readLines } from './ask.ts';
import type { MetricsSeries, QueryEngine, ReportQuestion } from '../../../query/interface.ts';
import type { TransportContext } from '../../transport/call/call.ts';
import type { CallContext } from '../../transport/call/method.ts';
import { sendConnectError } from '../../transport/connect/unary.ts';
import { readPyroscopeTime } from '../../ingest/pyroscope/pyroscope-name.ts';
import { serveCall } from '../../transport/http/serve-call.ts';
import type { Settings } from '../../routes/settings-route.ts';
import { pyroscopeEncodings } from './encode-answer.ts';
import {
  toDiff,
  invalid,
  labelRange,
  toMerge,
  nodesUsual,
  planSeries,
  readMaxNodes,
  type SelectedProfiles,
} from './request.ts';
import { parsePyroscopeSelector } from './selector.ts';
import { addStatusRoutes, type BuildVersion } from './status-routes.ts';
import { flamebearerJson, toTimeline, timelineStepMillis, barUnits } from './flamebearer.ts';

/**
 * Adds the paths, including those for the status of the server. `hooks` throw AppErrors while the
 * server starts.
 */
export function addRenderRoutes(
  app: FastifyInstance,
  transport: TransportContext,
  hooks: { readonly pyroscope: () => QueryEngine; readonly settings: () => Settings },
  build: BuildVersion | undefined,
): void {
  addStatusRoutes(app, build, () => hooks.settings());
  const engine = (): QueryEngine => hooks.pyroscope();
  const add = (
    name: string,
    paths: readonly string[],
    answer: (parameters: URLSearchParams, context: CallContext) => Promise<RenderAnswer>,
  ): void => {
    const method = { path: `/pyroscope.http.v1.Render/${name}`, endsWithCaller: true };
    for (const path of paths) {
      app.get(path, (request, reply) =>
        serveCall(
          transport,
          method,
          request,
          reply,
          (context) => answer(new URL(request.url, 'http://localhost').searchParams, context),
          ({ type, text }) => send(reply, type, text),
          sendConnectError,
        ),
      );
    }
  };
  const now = (): number => transport.runner.clock.nowMillis();
  add('Render', ['/pyroscope/render', '/render'], (parameters, context) =>
    render(engine(), parameters, now(), context),
  );
  add('RenderDiff', ['/pyroscope/render-diff', '/render-diff'], (parameters, context) =>
    renderDiff(engine(), parameters, now(), context),
  );
  add('LabelValues', ['/pyroscope/label-values', '/label-values'], (parameters, context) =>
    labelValues(engine(), parameters, now(), context),
  );
}

interface RenderAnswer {
  readonly type: string;
  readonly text: string | Uint8Array;
}

function send(reply: FastifyReply, type: string, text: string | Uint8Array): FastifyReply {
  return reply.type(type).send(text);
}

const json = 'application/json';

async function render(
  engine: QueryEngine,
  parameters: URLSearchParams,
  nowMillis: number,
  context: CallContext,
): Promise<RenderAnswer> {
  const asked = selected(parameters, ['query', 'from', 'until'], nowMillis);
  const select = toMerge(asked);
  const format = parameters.get('format') ?? 'json';
  if (format === 'dot') {
    const nodes = parseMaxNodes(parameters, dotNodesUsual);
    const { bytes, profileCount } = await askDot(engine, select, nodes, undefined, context);
    return { type: 'text/plain', text: profileCount === 0 ? '' : bytes };
  }
  if (format !== 'json') throw invalid(`unknown format ${JSON.stringify(format)}: json or dot`);
  const graph = await flamebearer(engine, select, parseMaxNodes(parameters, nodesUsual), context);
  const timeline = await timelines(engine, asked, [], context);
  const [groupBy = ''] = parameters.getAll('groupBy');
  const groups = groupBy === '' ? undefined : await timelines(engine, asked, [groupBy], context);
  const own = (lines: readonly MetricsSeries[] = []): string =>
    JSON.stringify(toTimeline(lines[0], timeline.plan, timeline.startMillis, timeline.count));
  const grouped = groups?.lines.map((line) => {
    const [label] = line.labels;
    return `${JSON.stringify(label?.value ?? '*')}:${own([line])}`;
  });
  const text = flamebearerJson(graph, barUnits(asked.profileTypeID), {
    timeline: own(timeline.lines),
    ...(grouped !== undefined && { groups: `{${grouped.join(',')}}` }),
  });
  return { type: json, text };
}

async function renderDiff(
  engine: QueryEngine,
  parameters: URLSearchParams,
  nowMillis: number,
  context: CallContext,
): Promise<RenderAnswer> {
  const left = selected(parameters, ['leftQuery', 'leftFrom', 'leftUntil'], nowMillis);
  const right = selected(parameters, ['rightQuery', 'rightFrom', 'rightUntil'], nowMillis);
  if (left.profileTypeID !== right.profileTypeID) {
    throw invalid('profile types must match: leftQuery and rightQuery have different ones');
  }
  const nodes = parseMaxNodes(parameters, nodesUsual);
  const graph = await flamebearer(engine, toDiff(left, right), nodes, context);
  return { type: json, text: flamebearerJson(graph, barUnits(left.profileTypeID)) };
}

async function flamebearer(
  engine: QueryEngine,
  select: ReportQuestion['select'],
  nodes: number,
  context: CallContext,
): Promise<string> {
  const encoding = pyroscopeEncodings.flamebearer;
  const { bytes } = await askGraph(engine, select, nodes, undefined, encoding, context);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
}

/** Returns the lines of a graph whose steps begin at multiples of the step. */
async function timelines(
  engine: QueryEngine,
  asked: SelectedProfiles,
  groupBy: readonly string[],
  context: CallContext,
) {
  const stepMillis = timelineStepMillis(asked.end.sub(asked.start).toNumber());
  const startMillis = Math.floor(asked.start.toNumber() / stepMillis) * stepMillis;
  const start = Long.fromNumber(Math.max(1, startMillis));
  const { profileTypeID, labelSelector, end } = asked;
  const step = stepMillis / 1_000;
  const plan = planSeries({ profileTypeID, labelSelector, start, end, step, groupBy });
  const lines = await readLines(engine, plan.question, context);
  const count = Math.floor((end.toNumber() - startMillis) / stepMillis) + 1;
  return { plan: { ...plan, stepMillis }, lines, startMillis, count };
}

async function labelValues(
  engine: QueryEngine,
  parameters: URLSearchParams,
  nowMillis: number,
  context: CallContext,
): Promise<RenderAnswer> {
  const label = parameters.get('label') ?? '';
  if (label === '') throw invalid('label: cannot be blank');
  const readTime = (name: string): Long => {
    const text = parameters.get(name);
    return text === null ? Long.ZERO : parseMillis(name, text, nowMillis);
  };
  const range = labelRange(readTime('from'), readTime('until'), nowMillis);
  const query = parameters.get('query') ?? '{}';
  const { type, conditions } = parsePyroscopeSelector(query);
  const ofType = type === '' ? [] : [`__profile_type__=${JSON.stringify(type)}`];
  const match = [`{${[...conditions, ...ofType].join(', ')}}`];
  // On this path, `__name__` stands for the complete profile type.
  const name = label === '__name__' ? '__profile_type__' : label;
  const values = await engine.labelValues(name, { match, profileType: '', range }, context);
  return { type: json, text: JSON.stringify(values) };
}

/** Returns the selection that the parameters for query, start and end describe. */
function selected(
  parameters: URLSearchParams,
  [queryName, fromName, untilName]: readonly [string, string, string],
  nowMillis: number,
): SelectedProfiles {
  const query = parameters.get(queryName) ?? '';
  if (query === '') throw invalid(`${queryName}: cannot be blank`);
  const { type, conditions } = parsePyroscopeSelector(query);
  if (type === '') {
    throw invalid(`${queryName}: expected a profile type before the selector, or as __name__`);
  }
  const start = parseMillis(fromName, parameters.get(fromName) ?? 'now-1h', nowMillis);
  const end = parseMillis(untilName, parameters.get(untilName) ?? 'now', nowMillis);
  return { profileTypeID: type, labelSelector: `{${conditions.join(', ')}}`, start, end };
}

function parseMillis(name: string, text: string, nowMillis: number): Long {
  return Long.fromString(`${readPyroscopeTime(name, text, nowMillis) / 1_000_000n}`);
}

function parseMaxNodes(parameters: URLSearchParams, usual: number): number {
  const text = parameters.get('max-nodes') ?? parameters.get('maxNodes') ?? '';
  if (text === '') return usual;
  if (!/^-?\d{1,18}$/.test(text)) throw invalid(`max-nodes: expected a number, got ${text}`);
  return readMaxNodes(Long.fromString(text), usual);
}
