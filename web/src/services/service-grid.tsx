// Shows services as a grid of small graphs, with the cores and the memory of each service over
// time.
import { type LastDeploy, serviceKey } from '../compare/versions.ts';
import { formatCores } from '../format/numbers.ts';
import { useApp } from '../page/app-context.ts';
import { Sparkline } from '../parts/sparkline.tsx';
import type { Span } from '../rpc/api.ts';
import type { FindingAnswer } from '../rpc/findings.ts';
import { Change, comparedMax } from './change-cell.tsx';
import { Memory, serviceLink, serviceQuery } from './service-cells.tsx';
import { FindingsLink, type ServiceFindings } from './service-findings.tsx';
import type { ServiceRow } from './service-rows.ts';
import { VersionCell } from './version-cell.tsx';

interface ServiceGridProps {
  readonly rows: readonly ServiceRow[];
  /** True if there are profiles in the preceding time. */
  readonly hasBefore: boolean;
  readonly now: number;
  readonly span: Span;
  readonly deploys: ReadonlyMap<string, LastDeploy>;
  readonly findings: ServiceFindings;
}

/** A card for each service, in the order of the table. */
export function ServiceGrid({ rows, deploys, findings, ...common }: ServiceGridProps) {
  return (
    <ul className="service-grid" aria-label="Services">
      {rows.map((row, i) => {
        const key = serviceKey(row);
        return (
          <Card
            key={key}
            row={row}
            deploy={deploys.get(key)}
            findings={findings.get(key)}
            namesFunction={i < comparedMax}
            {...common}
          />
        );
      })}
    </ul>
  );
}

interface CardProps extends Omit<ServiceGridProps, 'rows' | 'deploys' | 'findings'> {
  readonly row: ServiceRow;
  readonly deploy: LastDeploy | undefined;
  readonly namesFunction: boolean;
  readonly findings: readonly FindingAnswer[] | undefined;
}

function Card({ row, deploy, namesFunction, findings, hasBefore, now, span }: CardProps) {
  const { url } = useApp();
  const { name, label, type, cores } = row;
  const query = serviceQuery(row, type);
  const { href, open } = serviceLink(url, query);
  return (
    <li className="service-card" onClick={type === '' ? undefined : open}>
      <div className="card-head">
        <span className="name">
          {type === '' ? <b>{name}</b> : <a href={href}>{name === '' ? '(no name)' : name}</a>}{' '}
          <span className="hint">{label}</span>
          <FindingsLink findings={findings} />
        </span>
        <VersionCell deploy={deploy} query={query} span={span} now={now} />
      </div>
      <div className="card-value">
        {cores === undefined ? (
          <span className="hint">no CPU profiles</span>
        ) : (
          <b>{formatCores(cores)}</b>
        )}
        {(hasBefore || row.deploy !== undefined) && (
          <span className="change">
            <Change row={row} query={query} span={span} namesFunction={namesFunction} />
          </span>
        )}
      </div>
      <Sparkline points={row.points} mark={row.deploy?.point} />
      <div className="card-value memory">
        <Memory row={row} />
      </div>
    </li>
  );
}
