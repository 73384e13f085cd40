// Reads the fields of a JSON object in the body of a request.
import { AppError } from '../../../base/errors.ts';
import { parseJsonBytes } from '../../../base/text/json.ts';
import { nearestSentence } from '../../../base/text/nearest.ts';

/**
 * Parses an object that may have only the given fields. `what` begins the error messages, such as
 * "cannot add a mark".
 *
 * Errors: AppError 'resource-exhausted' above `bytesMax`, 'invalid-argument'.
 */
export function readJsonFields(
  body: Uint8Array,
  what: string,
  names: readonly string[],
  bytesMax: number,
): ReadonlyMap<string, unknown> {
  if (body.length > bytesMax) {
    const why = `it has ${body.length} bytes, the limit is ${bytesMax}`;
    throw new AppError('resource-exhausted', `${what}: ${why}`);
  }
  const json = parseJsonBytes(body, what);
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw invalid(`${what}: the body is not a JSON object`);
  }
  const given = new Map<string, unknown>(Object.entries(json));
  const unknown = [...given.keys()].find((name) => !names.includes(name));
  if (unknown === undefined) return given;
  const hint = nearestSentence(unknown, names);
  throw invalid(`${what}: unknown field ${JSON.stringify(unknown)}, ${hint}`);
}

/**
 * Returns a value that must be a string of at most `lengthMax` characters. Errors: AppError
 * 'invalid-argument'.
 */
export function readString(value: unknown, name: string, lengthMax: number): string {
  if (typeof value !== 'string') throw invalid(`${name} must be a string`);
  if (value.length <= lengthMax) return value;
  throw invalid(`${name} has ${value.length} characters, the limit is ${lengthMax}`);
}

function invalid(why: string): AppError {
  return new AppError('invalid-argument', why);
}
