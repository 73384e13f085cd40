// One question on a path of our own, as the functions that answer see it.
import type { QueryEngine } from '../../query/interface.ts';
import type { CallContext } from '../call/method.ts';

export interface InsightCall {
  /** With its parameters. */
  readonly url: string;
  /** Named parts of the path, decoded. */
  readonly path: Readonly<Record<string, string>>;
  readonly nowMillis: number;
  readonly engine: QueryEngine;
  readonly caller: CallContext;
}
