// HTTP paths of findings: changes that the server found by itself.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { parseJsonBytes } from '../../base/text/json.ts';
import { findingSentence } from '../../findings/finding-text.ts';
import {
  type Finding,
  type Findings,
  isRegression,
  resourceUnits,
} from '../../findings/interface.ts';
import { findingBodyBytesMax } from '../limits.ts';
import type { TransportContext } from '../transport/call/call.ts';
import { readChoice, readParameters, readTime } from '../transport/http/parameters.ts';
import { pathFields, serveCall, withBody } from '../transport/http/serve-call.ts';
import { findingsFeed } from './findings-feed.ts';

const path = '/api/v1/findings';

/** Adds the paths. `findings` throws AppError 'unavailable' while the server starts. */
export function addFindingsRoutes(
  app: FastifyInstance,
  transport: TransportContext,
  findings: () => Findings,
): void {
  const now = (): number => transport.runner.clock.nowMillis();
  const list = { path: '/parca.http.v1.Findings/List', endsWithCaller: true };
  app.get(path, (request, reply) =>
    serveCall(
      transport,
      list,
      request,
      reply,
      async () => ({
        findings: chooseFindings(findings().list(), request.url, now()).map(findingToJson),
        notSearched: findings().whyNotSearched(),
      }),
      (answer) => reply.header('cache-control', 'no-store').send(answer),
    ),
  );
  app.get(`${path}/feed`, (request, reply) =>
    serveCall(
      transport,
      list,
      request,
      reply,
      async () => {
        const chosen = chooseFindings(findings().list(), request.url, now());
        return findingsFeed(chosen.filter(isRegression), feedPlace(request), now());
      },
      (feed) => reply.type('application/atom+xml; charset=utf-8').send(feed),
    ),
  );
  app.post(`${path}/:id`, (request, reply) =>
    serveCall(
      transport,
      { path: '/parca.http.v1.Findings/Change', endsWithCaller: false },
      request,
      reply,
      () =>
        withBody(transport, request, (body) =>
          findings().acknowledge(pathFields(request.params).id ?? '', readIsAcknowledged(body)),
        ),
      (finding) => reply.send(findingToJson(finding)),
    ),
  );
}

/**
 * Findings of a server that does not look for changes. The list is empty and not an error, because
 * each page requests it.
 */
export const noFindings: Findings = {
  list: () => [],
  whyNotSearched: () => 'this server only answers queries: servers that store profiles search',
  acknowledge: () =>
    Promise.reject(
      new AppError('unimplemented', 'this server has no findings: call one that stores profiles'),
    ),
};

const states = ['', 'open', 'acknowledged', 'resolved'] as const;

/** Returns the findings that a URL selects; by default, all. */
function chooseFindings(
  all: readonly Finding[],
  url: string,
  nowMillis: number,
): readonly Finding[] {
  const given = readParameters(url, ['state', 'service', 'start', 'end']);
  const state = readChoice(given, 'state', states);
  const service = given.get('service');
  const readBound = (name: string, missing: number): number => {
    const value = given.get(name);
    return value === undefined ? missing : Number(readTime(name, value, nowMillis) / 1_000_000n);
  };
  const [from, to] = [readBound('start', -Infinity), readBound('end', Infinity)];
  return all.filter(
    (one) =>
      (state === '' || one.state === state) &&
      (service === undefined || one.service.name === service) &&
      one.timeMillis >= from &&
      one.timeMillis <= to,
  );
}

/** Parses `{"state": "acknowledged"}`. Errors: AppError 'invalid-argument', 'resource-exhausted'. */
function readIsAcknowledged(body: Uint8Array): boolean {
  const cannot = 'cannot change a finding';
  if (body.length > findingBodyBytesMax) {
    const why = `it has ${body.length} bytes, the limit is ${findingBodyBytesMax}`;
    throw new AppError('resource-exhausted', `${cannot}: ${why}`);
  }
  const { state }: { readonly state?: unknown } = Object(parseJsonBytes(body, cannot));
  if (state === 'acknowledged' || state === 'open') return state === 'acknowledged';
  const why = `state must be acknowledged or open, got ${JSON.stringify(state)}`;
  throw new AppError('invalid-argument', `${cannot}: ${why}`);
}

/** Returns the addresses at which the caller reaches this server's page and feed. */
function feedPlace({ protocol, host, url }: FastifyRequest): {
  readonly page: string;
  readonly feed: string;
} {
  const feed = `${protocol}://${host}${url}`;
  return { feed, page: feed.replace(/\/api\/v1\/findings\/feed.*$/, '/findings') };
}

function findingToJson(finding: Finding): object {
  const { id, kind, resource, service, query, state, resolution, functions } = finding;
  const toTime = (millis: number): string => new Date(millis).toISOString();
  return {
    id,
    kind,
    state,
    resolution: resolution === '' ? undefined : resolution,
    isRegression: isRegression(finding),
    resource,
    service,
    query,
    time: toTime(finding.timeMillis),
    found: toTime(finding.foundMillis),
    changed: toTime(finding.stateMillis),
    version: finding.version,
    versionBefore: finding.versionBefore,
    versionLabel: finding.versionLabel,
    sentence: findingSentence(finding),
    functions: functions.map((one) => ({
      name: one.name,
      measure: one.measure,
      before: one.before,
      after: one.after,
      cost: one.cost,
      low: one.cost - one.halfWidth,
      high: one.cost + one.halfWidth,
      amount: one.amount,
      unit: resourceUnits[resource],
    })),
  };
}
