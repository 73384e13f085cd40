// HTTP paths of Prometheus' API: recorded series, and expressions over profiles.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, errorCode, errorMessage } from '../../base/errors.ts';
import { parseDuration } from '../../base/text/duration.ts';
import { labelsToObject } from '../../model/labels.ts';
import type { NumbersNow, NumberSeries, RulesStatus } from '../../rules/interface.ts';
import type { TimeRange } from '../../storage/interface.ts';
import type { TransportContext } from '../transport/call/call.ts';
import type { CallContext } from '../transport/call/method.ts';
import { pathFields, serveCall, withBody } from '../transport/http/serve-call.ts';
import { errorAnswer } from '../transport/json/gateway.ts';

/** A request of Prometheus' API. */
interface PrometheusCall {
  readonly given: URLSearchParams;
  readonly path: Readonly<Record<string, string>>;
  readonly nowMillis: number;
  readonly rules: RulesStatus;
  readonly caller: CallContext;
}

/** Functions that answer requests, by the last part of their path. */
const methods: Readonly<Record<string, (call: PrometheusCall) => unknown>> = {
  query: async ({ given, nowMillis, rules, caller }) => {
    const timeNanos = readTime(given, 'time', nowMillis);
    return vectorToJson(await rules.numbers.at(readQuery(given), timeNanos, caller), timeNanos);
  },
  query_range: async ({ given, nowMillis, rules, caller }) => {
    const range = {
      fromNanos: readTime(given, 'start', undefined),
      toNanos: readTime(given, 'end', nowMillis),
      stepNanos: readStep(given),
    };
    if (range.toNanos < range.fromNanos) throw invalid('end must not be before start');
    const series = await rules.numbers.over(readQuery(given), range, caller);
    return { resultType: 'matrix', result: series.map(seriesToJson) };
  },
  series: async ({ given, nowMillis, rules, caller }) => {
    const match = given.getAll('match[]');
    if (match.length === 0) throw invalid('match[] is missing');
    const found = await rules.numbers.series(match, readRange(given, nowMillis), caller);
    return found.map(labelsToObject);
  },
  labels: ({ given, nowMillis, rules, caller }) =>
    rules.numbers.labelNames(given.getAll('match[]'), readRange(given, nowMillis), caller),
  'label/:name/values': ({ given, path, nowMillis, rules, caller }) => {
    const range = readRange(given, nowMillis);
    return rules.numbers.labelValues(path.name ?? '', given.getAll('match[]'), range, caller);
  },
  metadata: ({ rules }) =>
    Object.fromEntries(
      rules
        .groups()
        .flatMap((group) => group.config.rules)
        .filter(({ kind }) => kind === 'record')
        .map(({ name, text }) => [name, text] as const)
        .concat(
          [...rules.numbers.functionSeries].map(([name, meant]) => [
            name,
            `${meant} over five minutes`,
          ]),
        )
        .map(([name, help]) => [name, [{ type: 'gauge', help, unit: '' }]]),
    ),
};

/**
 * Methods that are also served directly below `/api/v1`. There, the label paths answer about
 * profiles.
 */
const methodsOfRoot: ReadonlySet<string> = new Set(['query', 'query_range', 'series', 'metadata']);

/**
 * Adds all paths below `/prometheus`, which is the address for a Grafana data source, and some of
 * them below `/api/v1`. `rules` throws AppError 'unavailable' while the server starts.
 */
export function addPrometheusRoutes(
  app: FastifyInstance,
  transport: TransportContext,
  rules: () => RulesStatus,
): void {
  for (const [end, answer] of Object.entries(methods)) {
    const method = { path: `/parca.http.v1.Prometheus/${end}`, endsWithCaller: true };
    const handler = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const { searchParams } = new URL(request.url, 'http://localhost');
      const path = pathFields(request.params);
      const nowMillis = transport.runner.clock.nowMillis();
      const call = (given: URLSearchParams, caller: CallContext): unknown =>
        answer({ given, path, nowMillis, rules: rules(), caller });
      const run = async (caller: CallContext): Promise<unknown> =>
        request.method === 'POST'
          ? withBody(transport, request, async (body) => call(withForm(searchParams, body), caller))
          : call(searchParams, caller);
      const send = (data: unknown): FastifyReply =>
        reply.header('cache-control', 'no-store').send({ status: 'success', data });
      return serveCall(transport, method, request, reply, run, send, sendFailure);
    };
    const roots = methodsOfRoot.has(end) ? ['/prometheus', ''] : ['/prometheus'];
    for (const root of roots) {
      app.route({ method: ['GET', 'POST'], url: `${root}/api/v1/${end}`, handler });
    }
  }
}

/** Returns the parameters of a URL and of a form together. */
function withForm(given: URLSearchParams, body: Uint8Array): URLSearchParams {
  const form = new URLSearchParams(new TextDecoder().decode(body));
  return new URLSearchParams([...given, ...form]);
}

/** Sends an error in Prometheus' form. */
function sendFailure(reply: FastifyReply, error: unknown): FastifyReply {
  const isBad = errorCode(error) === 'invalid-argument';
  const body = {
    status: 'error',
    errorType: isBad ? 'bad_data' : 'execution',
    error: errorMessage(error),
  };
  return reply.code(errorAnswer(error).status).send(body);
}

function readQuery(given: URLSearchParams): string {
  const query = given.get('query') ?? '';
  if (query !== '') return query;
  throw invalid('query is missing');
}

const nanosPerMilli = 1_000_000n;

/** Reads a time as Unix seconds or RFC 3339, in nanoseconds. */
function readTime(given: URLSearchParams, name: string, missing: number | undefined): bigint {
  const text = given.get(name) ?? '';
  const millis = text === '' ? missing : toMillis(text);
  if (millis === undefined) throw invalid(`${name} is missing`);
  if (Math.abs(millis) <= Number.MAX_SAFE_INTEGER / 1e3) {
    return BigInt(Math.round(millis)) * nanosPerMilli;
  }
  throw invalid(`${name} must be Unix seconds or RFC 3339, got ${JSON.stringify(text)}`);
}

function toMillis(text: string): number {
  return /^-?[\d.]+(?:e[+-]?\d+)?$/i.test(text) ? Number(text) * 1000 : Date.parse(text);
}

/** Reads the time range for a list; undefined, which means all times, if `start` is missing. */
function readRange(given: URLSearchParams, nowMillis: number): TimeRange | undefined {
  if ((given.get('start') ?? '') === '') return undefined;
  const from = readTime(given, 'start', undefined);
  return { from, to: readTime(given, 'end', nowMillis) };
}

/** Reads a step as seconds or as a duration, in nanoseconds. */
function readStep(given: URLSearchParams): bigint {
  const text = given.get('step') ?? '';
  const millis = /^[\d.]+$/.test(text) ? Number(text) * 1000 : parseDuration(text);
  const nanos = BigInt(Math.round(millis)) * nanosPerMilli;
  if (nanos > 0n) return nanos;
  throw invalid(`step must be above 0, got ${JSON.stringify(text)}`);
}

function vectorToJson({ isScalar, samples }: NumbersNow, timeNanos: bigint): object {
  if (isScalar) return { resultType: 'scalar', result: toPoint(timeNanos, samples[0].value) };
  const result = samples.map(({ labels, value }) => ({
    metric: labelsToObject(labels),
    value: toPoint(timeNanos, value),
  }));
  return { resultType: 'vector', result };
}

function seriesToJson({ labels, timeNanos, values }: NumberSeries): object {
  const points = timeNanos.map((time, i) => toPoint(time, values[i]));
  return { metric: labelsToObject(labels), values: points };
}

/** Returns a time in seconds and a number as a string, as in Prometheus. */
function toPoint(timeNanos: bigint, value: number): readonly [number, string] {
  return [Number(timeNanos / nanosPerMilli) / 1000, formatNumber(value)];
}

function formatNumber(value: number): string {
  if (Number.isFinite(value) || Number.isNaN(value)) return String(value);
  return value > 0 ? '+Inf' : '-Inf';
}

function invalid(why: string): AppError {
  return new AppError('invalid-argument', `cannot answer: ${why}`);
}
