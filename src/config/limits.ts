// Limits of config, each with its value, its unit and its reason.

/** Maximum number of concurrent queries that caller_limits may allow a caller. */
export const queriesAtOnceMax = 1_000;
/** Largest value for the active series in caller_limits; a server cannot hold more. */
export const activeSeriesOfCallerMax = 1_000_000_000;
/** Rows of caller_limits in a web config file. */
export const callerLimitsMax = 1_000;
/** Users and tokens of a web config file. The token of a request is compared with all tokens. */
export const webUsersMax = 1_000;
export const bearerTokensMax = 100;
/**
 * Largest cost of a bcrypt hash. Each step doubles the time of a check, which is one or two seconds
 * at 14.
 */
export const bcryptCostMax = 14;
/** Milliseconds between two checks of the web config file and of the files that it names. */
export const webConfigCheckMillis = 5_000;
