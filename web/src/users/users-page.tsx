// Page of the services that use a function, a package or matching functions, with their versions.
import { type FormEvent, useState } from 'react';
import { formatCores, formatPercent } from '../format/numbers.ts';
import { plural } from '../format/plural.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import * as clock from '../page/clock.ts';
import { useResource } from '../page/use-resource.ts';
import { Sparkline } from '../parts/sparkline.tsx';
import { TimePicker } from '../query/time-picker.tsx';
import { Incomplete } from '../states/incomplete.tsx';
import { PanelState } from '../states/panel-state.tsx';
import '../styles/services.css';
import '../styles/users.css';
import { resolveRange } from '../url/time-range.ts';
import { askUsers } from './ask-users.ts';
import { type UserRow, userRows, type UserVersion } from './user-rows.ts';
import { wantedStage } from './wanted-stage.ts';

const hour = 3_600_000;
/** Step of the history: the six hours of a rollup, which take as long to read as more hours. */
const historyStep = 6 * hour;
const historyCount = 120;
const points = 60;

/** The page. */
export function UsersPage() {
  const { wanted } = usePlace().state;
  const [now, setNow] = useState(clock.now);
  clock.useClockChange(() => setNow(clock.now()));
  return (
    <div className="services users">
      <div className="services-head">
        <h1>Who uses</h1>
        <WantedForm key={wanted} />
        <div className="spacer" />
        <TimePicker now={now} />
      </div>
      {wanted === '' ? (
        <p className="panel-message static">
          Write the name of a function or a package, or a regular expression. Every graph and list
          has this in the menu of a function (U).
        </p>
      ) : (
        <Users now={now} />
      )}
    </div>
  );
}

const kinds = [
  ['function', 'function'],
  ['package', 'package'],
  ['pattern', 'regular expression'],
] as const;

function WantedForm() {
  const { url } = useApp();
  const { wanted, wantedKind } = usePlace().state;
  const [text, setText] = useState(wanted);
  const find = (event: FormEvent) => {
    event.preventDefault();
    url.change({ wanted: text.trim() }, 'step');
  };
  return (
    <form className="users-form" onSubmit={find}>
      <select
        className="select"
        aria-label="Kind of name"
        value={wantedKind}
        onChange={({ target }) => {
          const kind = kinds.find(([value]) => value === target.value)?.[0];
          if (kind !== undefined) url.change({ wantedKind: kind, wanted: text.trim() }, 'step');
        }}
      >
        {kinds.map(([value, title]) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </select>
      <input
        className="input"
        aria-label="Function, package or expression"
        spellCheck={false}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <button type="submit" className="button">
        Find
      </button>
    </form>
  );
}

function useUsers(now: number) {
  const { api, base } = useApp();
  const { from, to, wanted, wantedKind } = usePlace().state;
  const asked = { wanted, wantedKind };
  const span = resolveRange({ from, to }, now);
  const step = Math.max(1_000, Math.ceil((span.to - span.from + 1) / points));
  const answer = useResource(`users ${JSON.stringify([asked, span])}`, (asking) =>
    askUsers(api, base, asked, span, step, asking),
  );
  const end = Math.ceil(span.to / historyStep) * historyStep;
  const start = end - historyCount * historyStep;
  // The long history is requested after the first answer, because users wait for that answer.
  const isReady = answer.value !== undefined;
  const history = useResource(
    isReady ? `users history ${JSON.stringify([asked, end])}` : undefined,
    (asking) => askUsers(api, base, asked, { from: start, to: end - 1 }, historyStep, asking),
  );
  const past = history.value && {
    answers: history.value,
    from: start,
    stepMillis: historyStep,
    count: historyCount,
  };
  return { answer, history, rows: userRows(answer.value ?? [], past) };
}

function Users({ now }: { readonly now: number }) {
  const { answer, history, rows } = useUsers(now);
  const coresMax = Math.max(...rows.map(({ versions }) => versions[0].cores));
  const more = (answer.value ?? []).reduce((sum, one) => sum + one.more.users, 0);
  return (
    <div className="services-body" data-query={answer.valueKey}>
      <PanelState resource={answer} what="who uses it" />
      <Incomplete warnings={(answer.value ?? []).flatMap(({ warnings }) => warnings)} />
      {answer.value !== undefined && rows.length === 0 && (
        <p className="panel-message static">
          No service used it in this time. Names are compared as a whole; choose{' '}
          <i>regular expression</i> for a part of one.
        </p>
      )}
      {rows.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">Service</th>
              <th scope="col">Version</th>
              <th scope="col" title="Cores of the stacks with it, in the time that profiles cover">
                CPU
              </th>
              <th scope="col" title="Share in all that this version uses">
                Of its CPU
              </th>
              <th scope="col" className="spark" aria-busy={history.pending !== undefined}>
                30 days
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Service
                key={`${row.service?.name} ${row.service?.value}`}
                row={row}
                coresMax={coresMax}
              />
            ))}
          </tbody>
        </table>
      )}
      {history.error !== undefined && <p className="hint">No history: {history.error.message}</p>}
      {more > 0 && <p className="hint">{plural(more, 'version')} more, with fewer cores</p>}
    </div>
  );
}

function Service({ row, coresMax }: { readonly row: UserRow; readonly coresMax: number }) {
  return row.versions.map((version, i) => (
    <tr key={version.version?.value ?? ''}>
      {i === 0 && (
        <th scope="rowgroup" className="name" rowSpan={row.versions.length}>
          <ServiceLink row={row} />
        </th>
      )}
      <VersionCells version={version} coresMax={coresMax} />
      {i === 0 && (
        <td className="spark" rowSpan={row.versions.length}>
          <Sparkline points={row.history} mark={undefined} />
        </td>
      )}
    </tr>
  ));
}

/** Links to the service's profiles, limited to stacks with the functions. */
function ServiceLink({ row: { service, type } }: { readonly row: UserRow }) {
  const { url } = useApp();
  const { state } = usePlace();
  if (service === undefined) return <b>(no name)</b>;
  const selector = `${type}{${service.name}=${JSON.stringify(service.value)}}`;
  const there = { ...state, query: `${selector} | ${wantedStage(state)}`, wanted: '' };
  const href = url.formatHref('explore', {
    ...there,
    wantedKind: 'function',
    zoom: '',
    search: '',
  });
  return (
    <>
      <a
        href={href}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
          event.preventDefault();
          url.goTo(href);
        }}
      >
        {service.value}
      </a>{' '}
      <span className="hint">{service.name}</span>
    </>
  );
}

interface VersionCellsProps {
  readonly version: UserVersion;
  readonly coresMax: number;
}

function VersionCells({ version: { version, cores, share }, coresMax }: VersionCellsProps) {
  return (
    <>
      <td className="users-version">{version?.value ?? <span className="hint">–</span>}</td>
      <td className="cores">
        <span
          className="bar"
          style={{ width: `${coresMax > 0 ? (cores / coresMax) * 100 : 0}%` }}
          aria-hidden
        />
        {formatCores(cores)}
      </td>
      <td>{formatPercent(share)}</td>
    </>
  );
}
