// Time range: named ranges that end now, or two fixed ends.
import { useState } from 'react';
import { useApp, usePlace } from '../page/app-context.ts';
import { Icon } from '../parts/icon.tsx';
import { Popover } from '../parts/popover.tsx';
import type { Span } from '../rpc/api.ts';
import * as ranges from '../url/time-range.ts';

/** The picker; `now` is the time at which the relative range was resolved. */
export function TimePicker({ now }: { readonly now: number }) {
  const { url } = useApp();
  const { state } = usePlace();
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
          <FixedRange
            span={ranges.resolveRange(range, now)}
            onChoose={(next) => {
              choose(next);
              close();
            }}
          />
        </div>
      )}
    </Popover>
  );
}

interface FixedRangeProps {
  readonly span: Span;
  readonly onChoose: (range: ranges.TimeRange) => void;
}

function FixedRange({ span, onChoose }: FixedRangeProps) {
  const { utc } = usePlace().state;
  const [from, setFrom] = useState(ranges.toInputText(span.from, utc));
  const [to, setTo] = useState(ranges.toInputText(span.to, utc));
  const start = ranges.fromInputText(from, utc);
  const end = ranges.fromInputText(to, utc);
  const valid = start !== undefined && end !== undefined && start < end;
  const apply = () => {
    if (valid) onChoose(ranges.fixedRange(start, end));
  };
  // This is not a form, because the panel is inside the form of the query.
  return (
    <div
      className="fixed-range"
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        event.preventDefault();
        apply();
      }}
    >
      <label>
        From
        <input
          className="input"
          type="datetime-local"
          step="1"
          value={from}
          onChange={(event) => setFrom(event.target.value)}
        />
      </label>
      <label>
        To
        <input
          className="input"
          type="datetime-local"
          step="1"
          value={to}
          onChange={(event) => setTo(event.target.value)}
        />
      </label>
      <p className="hint">{utc ? 'Times are UTC.' : 'Times are local.'}</p>
      {!valid && <p className="field-error">The start must be before the end.</p>}
      <button type="button" className="button primary" disabled={!valid} onClick={apply}>
        Use this range
      </button>
    </div>
  );
}
