// Form for a time range with two fixed ends, loaded after the first graph.
import { useState } from 'react';
import { usePlace } from '../page/app-context.ts';
import type { Span } from '../rpc/api.ts';
import * as ranges from '../url/time-range.ts';

interface FixedRangeProps {
  readonly span: Span;
  readonly onChoose: (range: ranges.TimeRange) => void;
}

/** The form. */
export function FixedRange({ span, onChoose }: FixedRangeProps) {
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
