// Time range: named ranges that end now, or two fixed ends.
import { useApp, usePlace } from '../page/app-context.ts';
import { useLoaded } from '../page/hooks.ts';
import { Icon } from '../parts/icon.tsx';
import { Popover } from '../parts/popover.tsx';
import * as ranges from '../url/time-range.ts';

/** The picker; `now` is the time at which the relative range was resolved. */
export function TimePicker({ now }: { readonly now: number }) {
  const { url } = useApp();
  const { state } = usePlace();
  const fixed = useLoaded(() => import('./fixed-range.tsx'));
  const range = { from: state.from, to: state.to };
  const choose = (next: ranges.TimeRange) => {
    url.change({ from: next.from, to: next.to, selection: undefined }, 'step');
  };
  const title = ranges.describeRange(range, state.utc);
  return (
    <Popover
      className="time-picker"
      title={`Time range: ${title}`}
      align="end"
      label={
        <>
          <Icon name="clock" />
          {title}
        </>
      }
    >
      {(close) => (
        <div className="time-panel">
          <ul className="menu-list" aria-label="Ranges that end now">
            {ranges.presets.map(({ label, millis }) => (
              <li key={label}>
                <button
                  type="button"
                  className="menu-item"
                  aria-current={title === `Last ${label}`}
                  onClick={() => {
                    choose(ranges.lastMillis(millis));
                    close();
                  }}
                >
                  Last {label}
                </button>
              </li>
            ))}
          </ul>
          {fixed && (
            <fixed.FixedRange
              span={ranges.resolveRange(range, now)}
              onChoose={(next) => {
                choose(next);
                close();
              }}
            />
          )}
        </div>
      )}
    </Popover>
  );
}
