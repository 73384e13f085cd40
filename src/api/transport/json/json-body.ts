// Converts the JSON body of a method to its message.
import { AppError } from '../../../base/errors.ts';
import { gatewayObjectsMax } from '../../limits.ts';
import { parseJsonBytes } from '../../../base/text/json.ts';
import { loadSchema } from './load-schema.ts';
import { isObject, jsonToMessage } from './to-message.ts';

/** Parses a JSON object; an empty body is an empty object. Errors: AppError 'invalid-argument'. */
function parseJsonObject(body: Uint8Array): object {
  if (body.length === 0) return {};
  const json = parseJsonBytes(body, 'cannot parse request', gatewayObjectsMax);
  if (isObject(json)) return json;
  throw new AppError('invalid-argument', 'cannot parse request: expected a JSON object');
}

/**
 * Converts a JSON body to the request of the method at `path`, on this thread.
 *
 * Errors: AppError 'invalid-argument' naming the field; 'resource-exhausted'.
 */
export async function messageOfJson(path: string, body: Uint8Array): Promise<Uint8Array> {
  const schema = await loadSchema();
  return jsonToMessage(schema, schema.method(path).request, parseJsonObject(body));
}
