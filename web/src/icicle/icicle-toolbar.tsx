// Toolbar of the graph: zoom trail, search, and display options.
import { listUnit, listUnits, type Measure } from '../format/measure.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import { SearchBox, type SearchBoxProps } from './search-box.tsx';
import { ZoomTrail, type ZoomTrailProps } from './zoom-trail.tsx';

/** The toolbar: the trail on the left, other tools on the right. */
export function IcicleToolbar(
  props: ZoomTrailProps & SearchBoxProps & { readonly measure: Measure },
) {
  return (
    <div className="icicle-toolbar">
      <ZoomTrail {...props} />
      <div className="spacer" />
      <SearchBox {...props} />
      <ViewSelects measure={props.measure} />
    </div>
  );
}

const graphs = [
  ['icicle', 'Icicle'],
  ['flame', 'Flame graph'],
  ['tree', 'Call tree'],
  ['chart', 'Flame chart'],
] as const;

const unitTitles = { percent: 'Percent', rate: 'Rate', total: 'Total' } as const;

function ViewSelects({ measure }: { readonly measure: Measure }) {
  const { url } = useApp();
  const { state } = usePlace();
  const units = listUnits(measure);
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
        value={listUnit(state.unit, measure)}
        onChange={({ target }) => {
          const unit = units.find((one) => one === target.value);
          if (unit !== undefined) url.change({ unit }, 'adjust');
        }}
      >
        {units.map((unit) => (
          <option key={unit} value={unit}>
            {unit === 'rate' && !measure.delta ? 'Average' : unitTitles[unit]}
          </option>
        ))}
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
