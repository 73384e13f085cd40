// The error of every reader of foreign bytes: what is wrong, and at which byte.
import { AppError } from '../base/errors.ts';

/** Bytes that are not what their format says. The code is always 'invalid-argument'. */
export class DecodeError extends AppError {
  override readonly name = 'DecodeError';
  /** Offset of the reader in the (uncompressed) input. */
  readonly offset: number;

  /** `what` names the thing as Parca does: "failed to parse profile". */
  constructor(what: string, why: string, offset: number) {
    super('invalid-argument', `${what}: ${why} at byte ${offset}`);
    this.offset = offset;
  }
}
