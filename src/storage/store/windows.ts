// The windows of time that blocks are cut and compacted in, all aligned to 1970 in UTC.

export const windowNanos = 7_200_000_000_000n;
export const dayNanos = 86_400_000_000_000n;
