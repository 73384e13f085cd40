// Reads the profiles from the body of an OTLP request.
import { parseJsonBytes } from '../../../base/text/json.ts';
import { decodeOtlp, type OtlpRequest } from '../../../formats/otlp/decode.ts';
import { loadSchema } from '../../transport/json/load-schema.ts';
import { jsonToMessage } from '../../transport/json/to-message.ts';

/** Full protobuf name of the request message, under which the JSON schema has it. */
const otlpRequestType =
  'opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest';

/**
 * Reads a request on this thread. `workMax` is as in decodeOtlp. Errors: as in decodeOtlp and
 * otlpOfJson.
 */
export async function decodeOtlpBody(
  body: Uint8Array,
  isJson: boolean,
  workMax?: number,
): Promise<OtlpRequest> {
  return isJson
    ? decodeOtlp(await otlpOfJson(body), '1.10', workMax)
    : decodeOtlp(body, undefined, workMax);
}

/** Converts a request in JSON. Errors: AppError 'invalid-argument'; as in parseJsonBytes. */
export async function otlpOfJson(body: Uint8Array): Promise<Uint8Array> {
  const json = parseJsonBytes(body, 'cannot parse request');
  const schema = await loadSchema();
  return jsonToMessage(schema, schema.message(otlpRequestType), json);
}
