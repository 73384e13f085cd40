// Length and seed of random tests: short in `npm test`, long in `npm run test:full`.

/** True if this is a run of `npm run test:full`. */
export const isFull = process.env['TEST_FULL'] === '1';

/** Returns the number of repetitions for `npm test` or for `npm run test:full`. */
export function rounds(quick: number, full: number): number {
  return isFull ? full : quick;
}

/**
 * Returns TEST_SEED, with which a run can be repeated. Without TEST_SEED, returns a new number, so
 * that repeated runs cover more cases.
 */
export function testSeed(): number {
  return Number(process.env['TEST_SEED'] ?? Date.now() % 1_000_000);
}
