// POST /api/v1/push: the body is a profile in any known format, the query string has its labels.
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../../base/clock.ts';
import { AppError } from '../../../base/errors.ts';
import { finishPausing, Pacer } from '../../../base/pacer.ts';
import type { ImportInThread } from '../../../formats/import/import-file.ts';
import {
  type CountMeaning,
  type ImportContext,
  plainCounts,
} from '../../../formats/reading/imported-profile.ts';
import { formatSkipped } from '../../../formats/reading/skipped-lines.ts';
import { pprofHeadSteps } from '../../../formats/pprof/head.ts';
import type { ProfileUpload } from '../../../ingest/interface.ts';
import { type Label, profileNameLabel } from '../../../model/labels.ts';
import type { TransportContext } from '../../transport/call/call.ts';
import { formatNanos } from '../../transport/json/time.ts';
import { readTime } from '../../transport/http/parameters.ts';
import type { PushStore } from '../profile-pushes.ts';
import { importPushed } from '../import-pushed.ts';
import { servePush } from '../serve-push.ts';

/** Parameters of the route itself; all other parameters are labels. */
const own: ReadonlySet<string> = new Set(['from', 'until', 'rate', 'type', 'timeout']);

/** Note for CPU profiles without a duration: their samples add up to CPU time, not to wall time. */
const noDuration =
  'the file does not say how long was profiled: give from and until, or its CPU time has no cores';

/**
 * Adds the path, below the prefix. `pushes` throws AppError 'unavailable' while the server starts.
 */
export function addFileRoute(
  app: FastifyInstance,
  transport: TransportContext,
  pushes: () => PushStore,
  importInThread: ImportInThread,
): void {
  app.post('/api/v1/push', (request, reply) =>
    servePush(
      transport,
      'File',
      request,
      reply,
      async ({ body, contentType, context }) => {
        const { clock } = transport.runner;
        const { labels, facts } = readFileParameters(request.url, clock.nowMillis());
        const file = { content: body, context: facts, format: undefined };
        const found = await importPushed(file, contentType, importInThread, transport, context);
        const { format, profiles, skipped } = found;
        const note = formatSkipped(found);
        const uploads = profiles.map(({ name, labels: given, pprof }) => ({
          labels: withDefaults(labels, [...given, { name: profileNameLabel, value: name }]),
          profile: pprof,
        }));
        await pushes().store(uploads, context);
        return {
          format,
          profiles: await describeAll(uploads, clock),
          ...(skipped !== undefined && { skippedLines: skipped.count }),
          ...(note !== undefined && { note }),
          ...(format === 'gperftools-cpu' && facts.durationNanos === 0n && { note: noDuration }),
        };
      },
      (answer) => reply.send(answer),
    ),
  );
}

/** Returns the names of the profiles, and their times if they have any, for the answer. */
async function describeAll(uploads: readonly ProfileUpload[], clock: Clock): Promise<object[]> {
  const facts: object[] = [];
  for (const { labels, profile } of uploads) {
    const { timeNanos } = await finishPausing(pprofHeadSteps(profile), new Pacer(clock));
    facts.push({
      name: labels.find(({ name }) => name === profileNameLabel)?.value,
      ...(timeNanos !== 0n && { time: formatNanos(timeNanos) }),
    });
  }
  return facts;
}

/** Reads labels and facts from a URL. Errors: AppError 'invalid-argument' naming the parameter. */
function readFileParameters(
  url: string,
  nowMillis: number,
): { readonly labels: readonly Label[]; readonly facts: ImportContext } {
  const parameters = new URL(url, 'http://localhost').searchParams;
  const labels: Label[] = [];
  for (const [name, value] of parameters) {
    if (!own.has(name)) labels.push({ name, value });
    else if (parameters.getAll(name).length > 1) throw invalid(name, 'has more than one value');
  }
  const [from, until] = ['from', 'until'].map((name) => {
    const text = parameters.get(name);
    return text === null ? undefined : readTime(name, text, nowMillis);
  });
  if (until !== undefined && (from === undefined || until < from)) {
    throw invalid('until', 'needs an earlier from');
  }
  const facts = {
    timeNanos: from ?? 0n,
    durationNanos: from === undefined || until === undefined ? 0n : until - from,
    counts: readCounts(parameters),
    name: parameters.get(profileNameLabel) ?? undefined,
  };
  return { labels, facts };
}

/** Reads the meaning of counts from `rate` (samples per second of CPU time) or `type`. */
function readCounts(parameters: URLSearchParams): CountMeaning {
  const rate = parameters.get('rate');
  const type = parameters.get('type');
  if (rate !== null && type !== null) throw invalid('rate', 'cannot be given with type');
  if (type !== null) {
    const [name, unit, ...more] = type.split(':');
    if (name === '' || !unit || more.length > 0) {
      throw invalid(
        'type',
        `must be name:unit such as alloc_space:bytes, not ${JSON.stringify(type)}`,
      );
    }
    return { ...plainCounts, name, sampleType: { type: name, unit }, parameter: 'type' };
  }
  return rate === null ? plainCounts : cpuCounts(Number(rate), rate);
}

/** Returns the meaning of samples that are taken `rate` times per second of CPU time. */
function cpuCounts(rate: number, text: string): CountMeaning {
  if (!Number.isFinite(rate) || rate < 1 || rate > 1e9) {
    throw invalid('rate', `must be a number of samples a second, not ${JSON.stringify(text)}`);
  }
  const period = BigInt(Math.round(1e9 / rate));
  const cpu = { type: 'cpu', unit: 'nanoseconds' };
  return {
    name: 'process_cpu',
    sampleType: cpu,
    factor: period,
    periodType: cpu,
    period,
    parameter: 'rate',
  };
}

function withDefaults(labels: readonly Label[], defaults: readonly Label[]): Label[] {
  const missing = defaults.filter(({ name }) => !labels.some((given) => given.name === name));
  return [...labels, ...missing];
}

function invalid(name: string, why: string): AppError {
  return new AppError('invalid-argument', `${name}: ${why}`);
}
