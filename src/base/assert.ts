// Assertions about our own code. They are also checked in production.

/** Error of a failed assertion: a bug in this program, not a bad input. */
class AssertionFailure extends Error {
  override readonly name = 'AssertionFailure';
}

/** Throws AssertionFailure with "BUG: <message>" unless `condition` holds. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new AssertionFailure(`BUG: ${message}`);
}

/** Closes a switch over a union: the compiler reports an error if a case is missing. */
export function assertUnreachable(value: never): never {
  throw new AssertionFailure(`BUG: unreachable case ${JSON.stringify(value)}`);
}
