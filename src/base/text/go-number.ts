// Numbers as Go prints them, for Prometheus formats.

/** Formats a number like Go's %v of a float64. */
export function formatGoFloat(value: number): string {
  const magnitude = Math.abs(value);
  const isPlain = value === 0 || (magnitude >= 1e-4 && magnitude < 1e21);
  return isPlain ? String(value) : formatGoExponent(value);
}

/** Formats a number like Go's %e with the fewest digits that are exact. */
export function formatGoExponent(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  return padExponent(value.toExponential());
}

/** Formats a finite number like Go's %e with a given number of decimals. */
export function formatGoDigits(value: number, digits: number): string {
  return padExponent(value.toExponential(digits));
}

/** Pads an exponent to two digits, as in Go. */
function padExponent(text: string): string {
  return text.replace(/e([+-])(\d)$/, 'e$10$2');
}
