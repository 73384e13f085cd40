// Shortcuts of the explore page that change the query.
import { useEffect, useRef } from 'react';
import type { Explore } from '../answers/use-explore.ts';
import { listUnit, listUnits } from '../format/measure.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import { now } from '../page/clock.ts';
import { isTyping } from '../page/keys.ts';
import * as ranges from '../url/time-range.ts';

/** Listens to the page's shortcuts that change the query. */
export function usePageKeys(
  explore: Explore,
  searchInput: { readonly current: HTMLInputElement | null },
  compare: () => void,
): void {
  const { url } = useApp();
  const { state } = usePlace();
  const units = listUnits(explore.measure);
  const range = { from: state.from, to: state.to };
  const setRange = (next: ranges.TimeRange) => {
    url.change({ from: next.from, to: next.to, selection: undefined }, 'step');
    explore.run();
  };
  const actions = new Map<string, () => void>([
    ['/', () => searchInput.current?.focus()],
    ['v', compare],
    ['T', () => url.change({ times: state.times === '' ? 'heatmap' : '' }, 'step')],
    ['[', () => setRange(ranges.moveRange(range, now(), -1))],
    [']', () => setRange(ranges.moveRange(range, now(), 1))],
    ['-', () => setRange(ranges.scaleRange(range, now(), 2))],
    ['=', () => setRange(ranges.scaleRange(range, now(), 0.5))],
    [
      'u',
      () => {
        const unit = listUnit(state.unit, explore.measure);
        const next = units[(units.indexOf(unit) + 1) % units.length];
        url.change({ unit: next }, 'adjust');
      },
    ],
  ]);
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      const action = latest.current.get(event.key);
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
}
