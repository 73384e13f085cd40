// The error of all readers of foreign formats: the problem, and its byte offset.
import { AppError } from '../base/errors.ts';

/** Error for bytes that violate their format. The code is always 'invalid-argument'. */
export class DecodeError extends AppError {
  override readonly name = 'DecodeError';
  /** Offset of the reader in the (uncompressed) input. */
  readonly offset: number;

  /** `what` names the failed action in Parca's words: "failed to parse profile". */
  constructor(what: string, why: string, offset: number) {
    super('invalid-argument', `${what}: ${why} at byte ${offset}`);
    this.offset = offset;
  }
}
