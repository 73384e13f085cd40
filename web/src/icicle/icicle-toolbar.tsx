// The toolbar of the icicle: the zoom trail, the search, and how values are shown and ordered.
import { useApp, usePlace } from '../page/app-context.ts';
import { SearchBox, type SearchBoxProps } from './search-box.tsx';
import { ZoomTrail, type ZoomTrailProps } from './zoom-trail.tsx';

/** The toolbar: the trail on the left, tools on the right. */
export function IcicleToolbar(props: ZoomTrailProps & SearchBoxProps) {
  return (
    <div className="icicle-toolbar">
      <ZoomTrail {...props} />
      <div className="spacer" />
      <SearchBox {...props} />
      <ViewSelects />
    </div>
  );
}

const graphs = [
  ['icicle', 'Icicle'],
  ['flame', 'Flame graph'],
  ['tree', 'Call tree'],
  ['chart', 'Flame chart'],
] as const;

function ViewSelects() {
  const { url } = useApp();
  const { state } = usePlace();
  return (
    <>
      <select
        className="select"
        aria-label="View of the calls"
        title="View of the calls"
        value={state.graph}
        onChange={({ target }) => {
          const graph = graphs.find(([value]) => value === target.value)?.[0];
          if (graph !== undefined) url.change({ graph, view: undefined }, 'step');
        }}
      >
        {graphs.map(([value, title]) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </select>
      <select
        className="select"
        aria-label="Numbers in the list"
        title="Numbers in the list (u)"
        value={state.unit}
        onChange={(event) => {
          const unit = event.target.value;
          if (unit === 'percent' || unit === 'rate' || unit === 'total')
            url.change({ unit }, 'adjust');
        }}
      >
        <option value="percent">Percent</option>
        <option value="rate">Rate</option>
        <option value="total">Total</option>
      </select>
      {state.graph !== 'tree' && state.graph !== 'chart' && (
        <select
          className="select wide-only"
          aria-label="Order of siblings"
          title="Order of siblings"
          value={state.order}
          onChange={(event) => {
            url.change({ order: event.target.value === 'value' ? 'value' : 'name' }, 'adjust');
          }}
        >
          <option value="name">By name</option>
          <option value="value">By value</option>
        </select>
      )}
    </>
  );
}
