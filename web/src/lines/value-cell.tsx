// A value of a line or of an instruction, with its bar.

interface ValueProps {
  readonly of: { readonly self: bigint; readonly total: bigint } | undefined;
  readonly column: 'self' | 'total';
  /** Value of the longest bar. */
  readonly max: bigint;
  readonly formatValue: (value: bigint) => string;
}

/** The value; empty if it is 0. */
export function Value({ of: values, column, max, formatValue: textOf }: ValueProps) {
  const value = values?.[column] ?? 0n;
  return (
    <span className="list-number">
      {value !== 0n && (
        <>
          <span className="bar" style={{ width: `${computeShare(value, max) * 100}%` }} />
          <span>{textOf(value)}</span>
        </>
      )}
    </span>
  );
}

/** Returns a share, 0 .. 1. */
export function computeShare(value: bigint, total: bigint): number {
  return total > 0n ? Number(value) / Number(total) : 0;
}
