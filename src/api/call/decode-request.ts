// Decoding requests: what the generated code throws becomes INVALID_ARGUMENT.
import { AppError, errorMessage } from '../../base/errors.ts';

/** The message that `decode` makes of `bytes`. Errors: AppError 'invalid-argument'. */
export function decodeRequest<T>(
  type: { readonly name: string; decode(bytes: Uint8Array): T },
  bytes: Uint8Array,
): T {
  try {
    return type.decode(bytes);
  } catch (error) {
    throw malformed(type.name, error);
  }
}

/** The error of a request whose bytes are not a message of its type. */
export function malformed(typeName: string, cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  return new AppError('invalid-argument', `cannot decode ${typeName}: ${errorMessage(cause)}`, {
    cause,
  });
}
