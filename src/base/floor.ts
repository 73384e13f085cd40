// Rounds times down to steps.

/** The largest multiple of `step` (> 0) that is not above `nanos`; before 1970 too. */
export function floorTo(nanos: bigint, step: bigint): bigint {
  const rest = nanos % step;
  return nanos - (rest < 0n ? rest + step : rest);
}
