// The start page: every service with its cores, changes, memory, health and last profile.
import { serviceLabels } from '../../../src/model/service-labels.ts';
import { type MouseEvent, useEffect, useMemo, useState } from 'react';
import { type LastDeploy, serviceKey, shortVersion } from '../compare/versions.ts';
import { formatAge, formatBytes, formatChange, formatCores } from '../format/numbers.ts';
import { formatCoverage } from '../format/measure.ts';
import { plural } from '../format/plural.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import { useRepeat } from '../page/hooks.ts';
import { useResource } from '../page/use-resource.ts';
import { Sparkline } from '../parts/sparkline.tsx';
import { Icon } from '../parts/icon.tsx';
import { TimePicker } from '../query/time-picker.tsx';
import type { Api, Span } from '../rpc/api.ts';
import { FirstRun } from '../states/first-run.tsx';
import { Incomplete } from '../states/incomplete.tsx';
import { PanelState } from '../states/panel-state.tsx';
import { endsNow, resolveRange } from '../url/time-range.ts';
import { useServiceDeploys, VersionCell } from './version-cell.tsx';
import { askServices } from './ask-services.ts';
import {
  arrangeServices,
  computeChange,
  readServices,
  type ServiceOrder,
  type ServiceRow,
} from './service-rows.ts';

import '../styles/services.css';
import '../styles/targets.css';

const refreshMillis = 15_000;
/** Most services that are drawn; search finds the others. */
const rowsMax = 500;
/** Smallest change that is shown: smaller ones are most often chance. */
const changeShownMin = 0.05;
const columns: readonly (readonly [order: ServiceOrder, title: string, hint: string])[] = [
  ['name', 'Service', `Value of the first label there is of ${serviceLabels.join(', ')}`],
  ['cores', 'CPU', 'Cores used in the time that profiles cover, as on the page of the service'],
  [
    'change',
    'Change',
    'Since the last deploy in the range, else against the same length of time before; sorted by cores',
  ],
  ['memory', 'Memory', 'Memory in use, the average of all profiles'],
];

/** Shows the services; or profiles, if there are fewer than two services or a query is given. */
export function StartPage() {
  const { api, url } = useApp();
  const { query } = usePlace().state;
  const count = useResource(query === '' ? 'names' : undefined, ({ signal }) =>
    countNames(api, signal),
  );
  const { value, error } = count;
  const isKnown = query !== '' || value !== undefined || error !== undefined;
  const route = value !== undefined && value > 1 ? 'services' : 'explore';
  useEffect(() => {
    if (isKnown) url.goTo(url.formatHref(route) + location.search, 'adjust');
  }, [isKnown, route, url]);
  return <p className="services-wait" aria-busy />;
}

async function countNames(api: Api, signal: AbortSignal): Promise<number> {
  const ask = (label: string) => api.labelValues(label, '', signal);
  return new Set((await Promise.all(serviceLabels.map(ask))).flat()).size;
}

/** The services, however few there are. */
export function ServicesPage() {
  const services = useServices();
  const { value, error } = services.answer;
  const isEmpty = value?.rows.length === 0 && value.warnings.length === 0;
  return isEmpty ? <FirstRun error={error} /> : <Services {...services} />;
}

function useServices() {
  const { api } = useApp();
  const { from, to } = usePlace().state;
  const [now, setNow] = useState(() => Date.now());
  const range = useMemo(() => ({ from, to }), [from, to]);
  const span = resolveRange(range, now);
  const answer = useResource(
    `services ${span.from} ${span.to}`,
    async (asking) => {
      const { answers, warnings } = await askServices(api, span, asking);
      const types = answers.cpu.map(({ type }) => type);
      return { rows: readServices(answers), warnings, span, types };
    },
    { topic: 'services', isQuiet: true },
  );
  useRepeat(endsNow(range) ? refreshMillis : 0, () => setNow(Date.now()));
  return { answer, now };
}

const nothing = { rows: [], warnings: [], span: { from: 0, to: 0 }, types: [] };

function Services({ answer, now }: ReturnType<typeof useServices>) {
  const { url } = useApp();
  const { state } = usePlace();
  const { rows, warnings, span, types } = answer.value ?? nothing;
  const deploys = useServiceDeploys(types, span);
  const shown = arrangeServices(rows, state.serviceSearch, state.serviceOrder);
  const coresMax = Math.max(...rows.map(({ cores = 0 }) => cores));
  const hasBefore = rows.some(({ coresBefore }) => coresBefore !== undefined);
  return (
    <div className="services" data-query={answer.valueKey}>
      <div className="services-head">
        <h1>Services</h1>
        <div className="search-box">
          <Icon name="search" />
          <input
            aria-label="Search services"
            placeholder="Name"
            value={state.serviceSearch}
            onChange={(event) => url.change({ serviceSearch: event.target.value }, 'adjust')}
          />
        </div>
        {rows.length > 0 && (
          <span className="hint" title={togetherTitle}>
            {countText(rows)}
          </span>
        )}
        <div className="spacer" />
        <TimePicker now={now} />
      </div>
      <div className="services-body">
        <PanelState resource={answer} what="the services" />
        <Incomplete warnings={warnings} />
        {rows.length > 0 && shown.length === 0 && (
          <p className="panel-message static">
            No service fits. {plural(rows.length, 'service is hidden', 'services are hidden')}.
          </p>
        )}
        {shown.length > 0 && (
          <table>
            <thead>
              <tr>
                {columns.map(([order, title, hint]) => (
                  <th
                    key={order}
                    scope="col"
                    className={order}
                    aria-sort={state.serviceOrder === order ? sortDirection(order) : undefined}
                  >
                    <button
                      type="button"
                      title={hint}
                      onClick={() => url.change({ serviceOrder: order }, 'adjust')}
                    >
                      {title}
                    </button>
                  </th>
                ))}
                <th scope="col" className="version-head">
                  Version
                </th>
                <th scope="col" className="spark">
                  Cores over time
                </th>
                <th scope="col" className="health-cell">
                  Targets
                </th>
                <th scope="col" className="last">
                  Last profile
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.slice(0, rowsMax).map((row) => (
                <Service
                  key={`${row.label} ${row.name}`}
                  row={row}
                  coresMax={coresMax}
                  hasBefore={hasBefore}
                  now={now}
                  span={span}
                  deploy={deploys.get(serviceKey(row))}
                />
              ))}
            </tbody>
          </table>
        )}
        {shown.length > rowsMax && (
          <p className="hint">{shown.length - rowsMax} more: search to find them</p>
        )}
      </div>
    </div>
  );
}

const sortDirection = (order: ServiceOrder) => (order === 'name' ? 'ascending' : 'descending');

const togetherTitle =
  'CPU time of all services by the time in which any of them was profiled, as on Explore; ' +
  'each row divides by the time of its own profiles';

function countText(rows: readonly ServiceRow[]): string {
  const cores = rows.reduce((sum, row) => sum + row.coresOfAll, 0);
  return `${plural(rows.length, 'service')}, together ${formatCores(cores)} over the range`;
}

interface ServiceProps {
  readonly row: ServiceRow;
  readonly coresMax: number;
  /** True if there are profiles in the preceding time. */
  readonly hasBefore: boolean;
  readonly now: number;
  readonly span: Span;
  /** Its last deploy, in the range or before it. */
  readonly deploy: LastDeploy | undefined;
}

function Service({ row, coresMax, hasBefore, now, span, deploy }: ServiceProps) {
  const { url } = useApp();
  const { state } = usePlace();
  const { name, label, type, cores, bytes } = row;
  const query = `${type}{${label}=${JSON.stringify(name)}}`;
  const href = url.formatHref('explore', {
    ...state,
    query,
    serviceSearch: '',
    serviceOrder: 'cores',
  });
  const open = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    url.goTo(href);
  };
  const coverageText = formatCoverage(row.coverage, (span.to - span.from) / 1_000);
  const share = coresMax > 0 ? (cores ?? 0) / coresMax : 0;
  return (
    <tr onClick={open}>
      <th scope="row" className="name">
        {type === '' ? <b>{name}</b> : <a href={href}>{name === '' ? '(no name)' : name}</a>}
        <span className="hint">{label}</span>
      </th>
      <td className="cores">
        {cores === undefined && type !== '' && <span className="hint">no CPU profiles</span>}
        {cores !== undefined && (
          <>
            <span className="bar" style={{ width: `${share * 100}%` }} aria-hidden />
            {formatCores(cores)}
            {coverageText !== undefined && <span className="hint"> {coverageText}</span>}
          </>
        )}
      </td>
      <td className="change">{(hasBefore || row.deploy !== undefined) && <Change row={row} />}</td>
      <td className="memory">{bytes !== undefined && formatBytes(bytes)}</td>
      <td className="version-head">
        <VersionCell deploy={deploy} query={query} span={span} now={now} />
      </td>
      <td className="spark">
        <Sparkline points={row.points} mark={row.deploy?.point} />
      </td>
      <td className="health-cell">
        <TargetHealth row={row} />
      </td>
      <td className="last">{row.lastMillis > 0 && `${formatAge(now - row.lastMillis)} ago`}</td>
    </tr>
  );
}

function Change({ row }: { readonly row: ServiceRow }) {
  const change = computeChange(row);
  if (change === undefined) {
    return row.cores !== undefined && row.cores > 0 ? <span className="hint">new</span> : null;
  }
  const isShown = Math.abs(change) >= changeShownMin;
  const look = !isShown ? 'hint' : change > 0 ? 'more' : 'less';
  return (
    <span className={look}>
      {isShown && <span aria-hidden>{change > 0 ? '\u25b2 ' : '\u25bc '}</span>}
      {formatChange(change)}
      {row.deploy !== undefined && (
        <span className="hint" title={`since ${row.deploy.version} came`}>
          {' '}
          since {shortVersion(row.deploy.version)}
        </span>
      )}
    </span>
  );
}

function TargetHealth({ row: { up, down } }: { readonly row: ServiceRow }) {
  if (up + down === 0) return null;
  return down === 0 ? (
    <span className="health up">
      <Icon name="check" />
      up
    </span>
  ) : (
    <span className="health down">
      <Icon name="warning" />
      {down} of {up + down} down
    </span>
  );
}
