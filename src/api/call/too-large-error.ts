// The error that HTTP has a status of its own for: 413.
import { AppError } from '../../base/errors.ts';

/** A body or message that is larger than the server takes, before or after decompression. */
export class TooLargeError extends AppError {
  override readonly name = 'TooLargeError';

  constructor(message: string, options?: { readonly cause?: unknown }) {
    super('resource-exhausted', message, options);
  }
}
