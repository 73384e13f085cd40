// Notice that is shown if this computer's clock is wrong.
import { formatAge } from '../format/numbers.ts';
import { useClockDifference } from '../page/clock.ts';

/** Smallest difference that the notice reports. */
const noticedMillis = 60_000;

/** Shows by how much the clock is wrong; nothing if it is right. */
export function WrongClock() {
  const ahead = useClockDifference();
  if (Math.abs(ahead) < noticedMillis) return null;
  return (
    <p className="notice" role="status">
      This computer&apos;s clock is {formatAge(Math.abs(ahead))} {ahead < 0 ? 'fast' : 'slow'}:
      ranges end now by the server&apos;s clock.
    </p>
  );
}
