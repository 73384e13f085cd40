// GET /api/v1/users: the services that use a function, a package, or functions whose names match a
// pattern, as JSON.
import { AppError } from '../../base/errors.ts';
import { usersMax } from '../../base/limits.ts';
import { nameGapSentences } from '../../model/name-gaps.ts';
import { formatProfileType } from '../../model/profile-type.ts';
import type { UserOfFunctions, UsersQuestion, WantedFunctions } from '../../query/interface.ts';
import {
  readCount,
  readDuration,
  readParameters,
  readQueryText,
  readRange,
  type UrlParameters,
} from '../transport/http/parameters.ts';
import { formatNanos } from '../transport/json/time.ts';
import type { InsightCall } from './insight-answers.ts';

const nanosPerSecond = 1_000_000_000n;
const kinds = ['function', 'package', 'pattern'] as const;

/** Answers a call; see docs/api.md. Errors: AppError 'invalid-argument', and the engine's. */
export async function answerUsers({
  url,
  nowMillis,
  engine,
  caller,
}: InsightCall): Promise<object> {
  const answer = await engine.users(readUsersRequest(url, nowMillis), caller);
  const { profileTypes, valueType, total, wholeTotal, users, more, moreTotal } = answer;
  return {
    profileType: formatProfileType(profileTypes[0]),
    profileTypes: profileTypes.map(formatProfileType),
    unit: valueType.unit,
    total: String(total),
    whole: String(wholeTotal),
    users: users.map(encodeUser),
    more: { users: more, total: String(moreTotal) },
    warnings: [...answer.missing, ...nameGapSentences(answer.nameGaps)],
  };
}

/** Parses the parameters. Errors: AppError 'invalid-argument'. */
function readUsersRequest(url: string, nowMillis: number): UsersQuestion {
  const given = readParameters(url, ['query', 'start', 'end', 'step', 'limit', ...kinds]);
  const query = readQueryText(given);
  const range = readRange(given, nowMillis);
  const seconds = (range.to - range.from) / (60n * nanosPerSecond) + 1n;
  return {
    query,
    range,
    stepNanos: readDuration(given, 'step') ?? seconds * nanosPerSecond,
    wanted: readWanted(given),
    limit: readCount(given, 'limit', 100, usersMax),
  };
}

function readWanted(given: UrlParameters): WantedFunctions {
  const [kind, ...others] = kinds.filter((one) => given.has(one));
  if (kind === undefined || others.length > 0) {
    throw new AppError('invalid-argument', `give one of ${kinds.join(', ')}`);
  }
  return { kind, text: given.get(kind) ?? '' };
}

function encodeUser(user: UserOfFunctions): object {
  const { service, version, total, whole, durationNanos, snapshots } = user;
  return {
    service: service ?? null,
    version: version ?? null,
    total: String(total),
    whole: String(whole),
    coveredNanos: String(durationNanos),
    snapshots,
    buckets: {
      time: Array.from(user.timeNanos, formatNanos),
      rate: Array.from(user.rate),
      coveredNanos: Array.from(user.coveredNanos, String),
    },
  };
}
