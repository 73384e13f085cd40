// Start page: all services with cores, changes, memory, health and last profile.
import { serviceLabels } from '../../../src/model/service-labels.ts';
import { useEffect, useMemo, useState } from 'react';
import { type LastDeploy, serviceKey } from '../compare/versions.ts';
import { formatAge, formatCores } from '../format/numbers.ts';
import { formatCoverage } from '../format/measure.ts';
import { plural } from '../format/plural.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import * as clock from '../page/clock.ts';
import { useRepeat } from '../page/hooks.ts';
import { useResource } from '../page/use-resource.ts';
import { Sparkline } from '../parts/sparkline.tsx';
import { Icon } from '../parts/icon.tsx';
import { UsersOffer } from '../parts/users-offer.tsx';
import { TimePicker } from '../query/time-picker.tsx';
import type { Api, Span } from '../rpc/api.ts';
import type { FindingAnswer } from '../rpc/findings.ts';
import { FirstRun } from '../states/first-run.tsx';
import { Incomplete } from '../states/incomplete.tsx';
import { PanelState } from '../states/panel-state.tsx';
import { endsNow, resolveRange } from '../url/time-range.ts';
import { Favourites } from '../views/favourites.tsx';
import { useServiceDeploys, VersionCell } from './version-cell.tsx';
import { askServices } from './ask-services.ts';
import { Change, comparedMax, useChangeClick } from './change-cell.tsx';
import { Memory, serviceLink, serviceQuery } from './service-cells.tsx';
import { FindingsLink, useServiceFindings } from './service-findings.tsx';
import { ServiceGrid } from './service-grid.tsx';
import {
  arrangeServices,
  readServices,
  type ServiceOrder,
  type ServiceRow,
} from './service-rows.ts';

import '../styles/services.css';
import '../styles/health.css';
import '../styles/targets.css';

const refreshMillis = 15_000;
/** Maximum number of rows; others can be found by searching. */
const rowsMax = 500;
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

/**
 * Shows the services, or profiles if there are fewer than two services or the URL contains a query.
 */
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

/** Shows the services, even if there are fewer than two. */
export function ServicesPage() {
  const services = useServices();
  const { value, error } = services.answer;
  const isEmpty = value?.rows.length === 0 && value.warnings.length === 0;
  return isEmpty ? <FirstRun error={error} /> : <Services {...services} />;
}

function useServices() {
  const { api } = useApp();
  const { from, to } = usePlace().state;
  const [now, setNow] = useState(clock.now);
  clock.useClockChange(() => setNow(clock.now()));
  const range = useMemo(() => ({ from, to }), [from, to]);
  const span = resolveRange(range, now);
  const answer = useResource(
    `services ${span.from} ${span.to}`,
    async (asking) => {
      const { answers, warnings } = await askServices(api, span, asking);
      const types = answers.cpu.map(({ type }) => type);
      return { rows: readServices(answers), warnings, span, types };
    },
    { topic: JSON.stringify(['services', range]), isQuiet: true },
  );
  useRepeat(endsNow(range) ? refreshMillis : 0, () => setNow(clock.now()));
  return { answer, now };
}

const nothing = { rows: [], warnings: [], span: { from: 0, to: 0 }, types: [] };

function Services({ answer, now }: ReturnType<typeof useServices>) {
  const { url } = useApp();
  const { state } = usePlace();
  const { rows, warnings, span, types } = answer.value ?? nothing;
  const deploys = useServiceDeploys(types, span);
  const findings = useServiceFindings(now);
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
          <UsersOffer url={url} text={state.serviceSearch} mode="text" />
        </div>
        {rows.length > 0 && (
          <span className="hint" title={togetherTitle}>
            {countText(rows)}
          </span>
        )}
        <div className="spacer" />
        <LayoutChoice />
        <TimePicker now={now} />
      </div>
      <Favourites />
      <div className="services-body">
        <PanelState resource={answer} what="the services" />
        <Incomplete warnings={warnings} />
        {rows.length > 0 && shown.length === 0 && (
          <p className="panel-message static">
            No service fits. {plural(rows.length, 'service is hidden', 'services are hidden')}.
          </p>
        )}
        {shown.length > 0 && state.serviceLayout === 'grid' && (
          <ServiceGrid
            rows={shown.slice(0, rowsMax)}
            hasBefore={hasBefore}
            now={now}
            span={span}
            deploys={deploys}
            findings={findings}
          />
        )}
        {shown.length > 0 && state.serviceLayout === 'table' && (
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
              {shown.slice(0, rowsMax).map((row, i) => (
                <Service
                  key={`${row.label} ${row.name}`}
                  row={row}
                  coresMax={coresMax}
                  hasBefore={hasBefore}
                  now={now}
                  span={span}
                  deploy={deploys.get(serviceKey(row))}
                  namesFunction={i < comparedMax}
                  findings={findings.get(serviceKey(row))}
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
  /** Last deploy, in the range or before it. */
  readonly deploy: LastDeploy | undefined;
  /** True to name the function that became slower. */
  readonly namesFunction: boolean;
  readonly findings: readonly FindingAnswer[] | undefined;
}

function Service(props: ServiceProps) {
  const { row, coresMax, hasBefore, now, span, deploy, namesFunction, findings } = props;
  const { url } = useApp();
  const { name, label, type, cores } = row;
  const query = serviceQuery(row, type);
  const { href, open } = serviceLink(url, query);
  const openChange = useChangeClick({ row, query, span });
  const coverageText = formatCoverage(row.coverage, (span.to - span.from) / 1_000);
  const share = coresMax > 0 ? (cores ?? 0) / coresMax : 0;
  return (
    <tr onClick={type === '' ? undefined : open}>
      <th scope="row" className="name">
        {type === '' ? <b>{name}</b> : <a href={href}>{name === '' ? '(no name)' : name}</a>}{' '}
        <span className="hint">{label}</span>
        <FindingsLink findings={findings} />
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
      <td className="change" onClick={openChange}>
        {(hasBefore || row.deploy !== undefined) && (
          <Change row={row} query={query} span={span} namesFunction={namesFunction} />
        )}
      </td>
      <td className="memory">
        <Memory row={row} />
      </td>
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

/** Chooses between the table and the grid. */
function LayoutChoice() {
  const { url } = useApp();
  const { serviceLayout } = usePlace().state;
  return (
    <span className="tabs" role="group" aria-label="Layout">
      {layouts.map(([layout, title]) => (
        <button
          type="button"
          key={layout}
          aria-pressed={serviceLayout === layout}
          onClick={() => url.change({ serviceLayout: layout }, 'adjust')}
        >
          {title}
        </button>
      ))}
    </span>
  );
}

const layouts = [
  ['table', 'Table'],
  ['grid', 'Graphs'],
] as const;

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
