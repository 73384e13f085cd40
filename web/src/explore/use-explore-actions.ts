// Actions of the explore page that change the query and the graph.
import type { Explore } from '../answers/use-explore.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import { useMatchers } from '../page/hooks.ts';
import { TreeTexts, widestFrame } from '../tree/tree-texts.ts';
import { printPath } from '../tree/zoom-path.ts';
import type { UrlState } from '../url/url-state.ts';

/** Returns the actions; each adds an entry to the browser history. */
export function useExploreActions(explore: Explore, wide: boolean) {
  const { url, api } = useApp();
  const { state } = usePlace();
  const matchers = useMatchers();
  const setQuery = (query: string, patch: Partial<UrlState> = {}) =>
    url.change({ query, ...patch }, 'step');
  const compare = async () => {
    // The module is loaded here, so that an early shortcut is not lost.
    const { toggled } = await import('../compare/toggle.ts');
    const { query, ...patch } = await toggled(explore, api);
    if (query !== explore.query) setQuery(query, patch);
  };
  const addMatchers = (labels: ReadonlyMap<string, string>, operator: '=' | '!=') => {
    if (matchers === undefined) return;
    let { query } = explore;
    for (const [name, value] of labels) query = matchers.addMatcher(query, name, operator, value);
    setQuery(query);
  };
  /** Zooms to the widest frame of a function. */
  const zoomToName = (name: string) => {
    const tree = explore.icicle.value;
    if (tree === undefined) return;
    const texts = new TreeTexts(tree);
    const index = texts.indexOf(name);
    const row = index === undefined ? undefined : widestFrame(tree, index);
    if (row === undefined) return;
    const panel = wide ? state.panel : 'icicle';
    url.change({ zoom: printPath(tree, row, texts), view: undefined, panel }, 'step');
  };
  return { setQuery, compare, addMatchers, zoomToName };
}
