// Formats numbers: three significant digits, and the unit after a narrow no-break space.

const narrow = '\u202f';
const minus = '\u2212';

/** Formats a share, 0..1: `12.4 %`, `0.37 %`, `<0.01 %`; never 0.00 % for a value above 0. */
export function formatPercent(share: number): string {
  const percent = share * 100;
  if (percent === 0) return `0${narrow}%`;
  if (percent < 0.005) return `<0.01${narrow}%`;
  if (percent >= 99.95) return `100${narrow}%`;
  return `${percent.toFixed(percent < 1 ? 2 : 1)}${narrow}%`;
}

/** Formats a change relative to the value before: `+317 %`, `−31.0 %`. */
export function formatChange(share: number): string {
  const sign = share > 0 ? '+' : share < 0 ? minus : '±';
  const size = Math.abs(share);
  const text =
    size < 0.9995 ? formatPercent(size) : `${formatCount(Math.round(size * 100))}${narrow}%`;
  return sign + text;
}

/** Formats three significant digits without an exponent: `0.0042`, `1.84`, `66.2`, `812`. */
export function formatSignificant(value: number): string {
  if (value === 0) return '0';
  const sign = value < 0 ? minus : '';
  const size = Math.abs(value);
  const digits = Math.max(
    0,
    Math.min(8, 2 - Math.floor(Math.log10(Number(size.toPrecision(3))) + 1e-12)),
  );
  return sign + size.toFixed(digits);
}

/** Formats a count: exact below 10 000 with thin spaces; above, three digits with k, M, G or T. */
export function formatCount(value: bigint | number): string {
  const number = Number(value);
  if (Math.abs(number) < 10_000) {
    return Number.isInteger(number) ? groupDigits(number) : formatSignificant(number);
  }
  return scaled(number, 1_000, ['', 'k', 'M', 'G', 'T', 'P']);
}

/** Formats a count with all digits in groups of three. */
export function groupDigits(value: bigint | number): string {
  return String(value)
    .replace('-', minus)
    .replace(/\B(?=(\d{3})+$)/g, narrow);
}

/** Formats bytes in powers of 1024: `1.21 GiB`. */
export function formatBytes(value: bigint | number): string {
  return scaled(Number(value), 1_024, ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']);
}

/** Formats nanoseconds as a duration: `84 ms`, `1 min 12 s`, `1.84 h`. */
export function formatNanos(value: bigint | number): string {
  const nanos = Number(value);
  const size = Math.abs(nanos);
  if (size < 60e9) return scaled(nanos, 1_000, ['ns', '\u00b5s', 'ms', 's']);
  if (size < 3_600e9) {
    const seconds = Math.round(nanos / 1e9);
    const rest = seconds % 60;
    const minutes = `${Math.trunc(seconds / 60)}${narrow}min`;
    return rest === 0 ? minutes : `${minutes} ${rest}${narrow}s`;
  }
  if (size < 48 * 3_600e9) return `${formatSignificant(nanos / 3_600e9)}${narrow}h`;
  return `${formatSignificant(nanos / 86_400e9)}${narrow}d`;
}

/** Formats an age: `12 s`, `3 min`, whole hours from two hours on; never `0 ns`. */
export function formatAge(millis: number): string {
  const unit = millis < 7_200_000 ? 1_000 : 3_600_000;
  const rounded = Math.max(1, Math.round(millis / unit)) * unit;
  return formatNanos(rounded * 1e6).replace(/\.0+(?=\D)/, '');
}

/** Formats an elapsed time: `0.4 s`, `12.0 s`, `1 min 12 s`. */
export function formatElapsed(millis: number): string {
  if (millis >= 60_000) return formatNanos(millis * 1e6);
  return `${(millis / 1_000).toFixed(1)}${narrow}s`;
}

/** Formats cores: `1.84 cores`; below 0.1 `42.0 mcores`. */
export function formatCores(value: number): string {
  if (value !== 0 && Math.abs(value) < 0.1) {
    return `${formatSignificant(value * 1_000)}${narrow}mcores`;
  }
  return `${formatSignificant(value)}${narrow}cores`;
}

function scaled(value: number, base: number, units: readonly string[]): string {
  let size = value;
  let unit = 0;
  while (Math.abs(size) >= base * (1 - 5e-4) && unit < units.length - 1) {
    size /= base;
    unit++;
  }
  const whole = unit === 0 && Number.isInteger(size);
  const digits = whole ? groupDigits(size) : formatSignificant(size);
  return units[unit] === '' ? digits : `${digits}${narrow}${units[unit]}`;
}
