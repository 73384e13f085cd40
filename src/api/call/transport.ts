// What all transports (gRPC, gRPC-Web, JSON) share: the methods, the limits, the counters.
import type { AppError } from '../../base/errors.ts';
import type { ByteBudget } from './byte-budget.ts';
import type { CallRunner } from './call.ts';
import type { MethodTable } from './method.ts';

export interface TransportContext {
  readonly runner: CallRunner;
  readonly budget: ByteBudget;
  /** One message or body, before and after decompression. */
  readonly messageBytesMax: number;
  /** The longest a call may take, whatever its deadline. */
  readonly callMillisMax: number;
  /** The longest an upload may stand still. */
  readonly stallMillisMax: number;
  /** The methods that can be called now. */
  methods(): MethodTable;
  /** Why there is no method at `path`: nobody knows it, or the server still starts. */
  missing(path: string): AppError;
}
