// Requests the services that use given functions; see docs/api.md.
import { profileTypeOptions } from '../format/profile-type.ts';
import type { Api, Span } from '../rpc/api.ts';
import type { Asking } from '../rpc/asking.ts';
import { RpcError } from '../rpc/grpc-web.ts';
import { getJson } from '../rpc/json.ts';
import { typesToAsk } from '../services/service-rows.ts';
import type { UrlState } from '../url/url-state.ts';
import { timeBounds } from '../rpc/time-bounds.ts';

/** Label name and value. */
export interface NamedLabel {
  readonly name: string;
  readonly value: string;
}

/** One version of a service; int64 values are strings, times are in RFC 3339. */
export interface UserMessage {
  readonly service: NamedLabel | null;
  readonly version: NamedLabel | null;
  readonly total: string;
  readonly whole: string;
  readonly coveredNanos: string;
  readonly buckets: {
    readonly time: readonly string[];
    readonly rate: readonly number[];
    readonly coveredNanos: readonly string[];
  };
}

/** Answer for one profile type. */
export interface UsersOfType {
  readonly type: string;
  readonly users: readonly UserMessage[];
  readonly more: { readonly users: number };
  readonly warnings: readonly string[];
}

/** Functions to search for. */
export type Wanted = Pick<UrlState, 'wanted' | 'wantedKind'>;

/** gRPC code of an answer without profiles. */
const grpcNotFound = 5;

/** Requests the users in a time span, for each type of CPU time. Errors: RpcError. */
export async function askUsers(
  api: Api,
  base: string,
  { wanted, wantedKind }: Wanted,
  span: Span,
  stepMillis: number,
  asking: Asking,
): Promise<UsersOfType[]> {
  const { cpu } = typesToAsk(profileTypeOptions(await api.profileTypes(asking.signal)));
  const answers = cpu.map(async (type) => {
    const asked = {
      query: type,
      ...timeBounds(span),
      step: `${stepMillis}ms`,
      [wantedKind]: wanted,
    };
    try {
      const json = await getJson(base, 'users', new URLSearchParams(asked), asking);
      return { type, ...(json as Omit<UsersOfType, 'type'>) };
    } catch (error) {
      if (!(error instanceof RpcError) || error.code !== grpcNotFound) throw error;
      return { type, users: [], more: { users: 0 }, warnings: [] };
    }
  });
  return Promise.all(answers);
}
