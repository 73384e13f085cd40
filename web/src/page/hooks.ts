// Small hooks: lazy loading, media queries, repeated actions.
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type * as MatchersModule from '../language/matchers.ts';
import { isDiff } from '../language/query-text.ts';
import { sideLetters, type SideWords } from '../language/side-letters.ts';
import { nextTurn } from './first-graph.ts';
import { updateInSlices } from './in-slices.ts';

/**
 * Returns the result of `load`, or undefined until it resolves; calls `load` once, after the first
 * graph.
 */
export function useLoaded<T>(load: () => Promise<T>): T | undefined {
  const [loaded, setLoaded] = useState<T>();
  const loadNow = useEffectEvent(load);
  useEffect(() => {
    const unmounted = new AbortController();
    const { signal } = unmounted;
    const run = async () => {
      await nextTurn();
      const found = await loadNow();
      if (!signal.aborted) updateInSlices(() => setLoaded(() => found), signal);
    };
    void run();
    return () => unmounted.abort();
  }, []);
  return loaded;
}

/** Returns true if the window matches the media query. */
export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const update = () => setMatches(media.matches);
    media.addEventListener('change', update);
    return () => media.removeEventListener('change', update);
  }, [query]);
  return matches;
}

/** Calls `action` every `millis` while the page is visible; 0 = never. */
export function useRepeat(millis: number, action: () => void): void {
  const latest = useRef(action);
  latest.current = action;
  useEffect(() => {
    if (millis <= 0) return undefined;
    let last = Date.now();
    const tick = () => {
      if (document.hidden || Date.now() - last < millis * 0.9) return;
      last = Date.now();
      latest.current();
    };
    const timer = setInterval(tick, millis);
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, [millis]);
}

/** Returns the module with the grammar, or undefined until it is loaded after the page. */
export function useMatchers(): typeof MatchersModule | undefined {
  return useLoaded(() => import('../language/matchers.ts'));
}

/** Returns the words for the sides of a comparison; letters until the grammar is loaded. */
export function useSideWords(query: string): SideWords {
  const loaded = useLoaded(() => import('../language/side-words.ts'));
  return useMemo(
    () => (loaded !== undefined && isDiff(query) ? loaded.sideWords(query) : sideLetters),
    [loaded, query],
  );
}
