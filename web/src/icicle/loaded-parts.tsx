// Parts of the icicle panel that are loaded when they are first shown.
import { useLoaded } from '../page/hooks.ts';
import type { NoDataProps } from '../states/no-data.tsx';
import type { CallTreeProps } from './call-tree.tsx';
import type { FlameChartPanelProps } from './flame-chart.tsx';
import type { WholeMinimapProps } from './whole-minimap.tsx';

/** The call tree. */
export function LoadedCallTree(props: CallTreeProps) {
  const loaded = useLoaded(() => import('./call-tree.tsx'));
  return loaded === undefined ? <div className="icicle-empty" /> : <loaded.CallTree {...props} />;
}

/** The flame chart. */
export function LoadedFlameChart(props: FlameChartPanelProps) {
  const loaded = useLoaded(() => import('./flame-chart.tsx'));
  return loaded ? <loaded.FlameChartPanel {...props} /> : <div className="icicle-empty" />;
}

/** The minimap, which appears with the first zoom. */
export function LoadedMinimap(props: WholeMinimapProps) {
  const loaded = useLoaded(() => import('./whole-minimap.tsx'));
  return loaded && <loaded.WholeMinimap {...props} />;
}

/** The explanation of an empty answer. */
export function LoadedNoData(props: NoDataProps) {
  const loaded = useLoaded(() => import('../states/no-data.tsx'));
  return loaded && <loaded.NoData {...props} />;
}
