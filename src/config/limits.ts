// Limits of config, each with its value, its unit and its reason.

/** Largest number of concurrent queries that caller_limits may allow a caller. */
export const queriesAtOnceMax = 1_000;
/** Largest limit of active series in caller_limits, which is more than a server can hold. */
export const activeSeriesOfCallerMax = 1_000_000_000;
/** Rows of caller_limits in a web config file. */
export const callerLimitsMax = 1_000;
/** Users and tokens of a web config file. The token of a request is compared with all tokens. */
export const webUsersMax = 1_000;
export const bearerTokensMax = 100;
/** Cost of a bcrypt hash. Each step doubles the time; at 14 a check takes a second or two. */
export const bcryptCostMax = 14;
/** Time between two checks of the web config file and the files it names. */
export const webConfigCheckMillis = 5_000;
