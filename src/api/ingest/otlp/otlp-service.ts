// OpenTelemetry's ProfilesService, over gRPC and at its own HTTP path.
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../../base/clock.ts';
import { AppError, errorMessage } from '../../../base/errors.ts';
import type { OtlpProfile } from '../../../formats/otlp/decode.ts';
import { ProtobufWriter } from '../../../formats/protobuf-writer.ts';
import type { ProfileUpload } from '../../../ingest/interface.ts';
import { type Label, profileNameLabel } from '../../../model/labels.ts';
import type { TransportContext } from '../../transport/call/call.ts';
import type { CallContext, Method } from '../../transport/call/method.ts';
import { loadSchema } from '../../transport/json/load-schema.ts';
import { messageToJson } from '../../transport/json/from-message.ts';
import type { PushSender, PushStore } from '../profile-pushes.ts';
import { queryableLabels } from '../labels.ts';
import { readOtlp } from './read-otlp.ts';
import { servePush } from '../serve-push.ts';

const space = 'opentelemetry.proto.collector.profiles.v1development';
const exportPath = `/${space}.ProfilesService/Export`;
/**
 * Full name of the request and response messages, without the suffixes `Request` and `Response`.
 */
const types = `${space}.ExportProfilesService`;

/** Attributes that are too long for labels and that no query uses. */
const leftOut: ReadonlySet<string> = new Set(['process.command_args', 'process.command_line']);

/** Parts of the server that the service uses. */
interface OtlpHost {
  readonly pushes: PushStore;
  readonly clock: Clock;
}

/** The service's method. */
export function otlpMethods(pushes: PushStore, clock: Clock): Method[] {
  return [
    {
      path: exportPath,
      kind: 'unary',
      handle: (request, context) => exportProfiles({ pushes, clock }, request, context, false),
    },
  ];
}

/** Adds the path of OTLP over HTTP. `pushes` throws AppError 'unavailable' while the server starts. */
export function addOtlpRoute(
  app: FastifyInstance,
  transport: TransportContext,
  pushes: () => PushStore,
): void {
  app.post('/v1development/profiles', (request, reply) => {
    const isJson = /^application\/json\b/.test(request.headers['content-type'] ?? '');
    return servePush(
      transport,
      'Otlp',
      request,
      reply,
      async ({ body, context }): Promise<string | Buffer> => {
        const { clock } = transport.runner;
        const answer = await exportProfiles({ pushes: pushes(), clock }, body, context, isJson);
        if (!isJson) return Buffer.from(answer);
        const schema = await loadSchema();
        return messageToJson(schema, schema.message(`${types}Response`), answer);
      },
      (answer) => reply.type(isJson ? 'application/json' : 'application/x-protobuf').send(answer),
    );
  });
}

/** Stores a request, and reports in its answer which profiles were left out. */
async function exportProfiles(
  { pushes, clock }: OtlpHost,
  request: Uint8Array,
  context: CallContext,
  isJson: boolean,
): Promise<Uint8Array> {
  const read = await readOtlp(request, isJson, clock, () => context.signal);
  const { profiles, rejectedCount, rejection, unnamedCount } = read;
  const uploads = profiles.map((profile) => ({
    labels: toLabels(profile),
    profile: profile.pprof,
  }));
  const refused = await storeReadable(pushes, uploads, context);
  const count = rejectedCount + refused.count;
  const unnamed = unnamedCount === 0 ? '' : `attributes without a name: ${unnamedCount} left out`;
  const message = rejection || refused.why || unnamed;
  const answer = new ProtobufWriter();
  if (message !== '') {
    const partial = answer.begin(1);
    answer.uint(1, count);
    answer.bytesField(2, Buffer.from(message));
    answer.end(partial);
  }
  return answer.finish();
}

/**
 * Stores all profiles together if possible, otherwise each profile that can be stored.
 *
 * Errors: as in ProfilePushes.store. If there are several profiles, a profile with invalid content
 * does not cause an error: it is counted in the result.
 */
async function storeReadable(
  pushes: PushStore,
  uploads: readonly ProfileUpload[],
  sender: PushSender,
): Promise<{ readonly count: number; readonly why: string }> {
  let count = 0;
  let why = '';
  try {
    await pushes.store(uploads, sender);
  } catch (error) {
    if (uploads.length < 2 || !isAboutContent(error)) throw error;
    for (const upload of uploads) {
      try {
        await pushes.store([upload], sender);
      } catch (one) {
        if (!isAboutContent(one)) throw one;
        count += 1;
        why ||= errorMessage(one);
      }
    }
  }
  return { count, why };
}

/** Returns true for an error that storing the same profile would cause every time. */
function isAboutContent(error: unknown): boolean {
  if (!(error instanceof AppError)) return false;
  return error.code === 'invalid-argument' || /^(?:profile|series)-/.test(error.limit ?? '');
}

/**
 * Returns the labels of a profile's series. A missing service name gets OpenTelemetry's default.
 */
function toLabels({ name, attributes }: OtlpProfile): Label[] {
  const attribute = (wanted: string): string | undefined =>
    attributes.find(({ key }) => key === wanted)?.value;
  const executable = attribute('process.executable.name');
  const unknown = executable === undefined ? 'unknown_service' : `unknown_service:${executable}`;
  return queryableLabels([
    { name: profileNameLabel, value: name },
    { name: 'service_name', value: attribute('service.name') || unknown },
    ...attributes
      .filter(({ key }) => !leftOut.has(key))
      .map(({ key, value }) => ({ name: key, value })),
  ]);
}
