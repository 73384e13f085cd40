// Shows the change of a service as a link to a comparison, and the function that became slower.
import { beforeAndAfter } from '../compare/before-after.ts';
import { compareDeploy, shortVersion } from '../compare/versions.ts';
import { fitName } from '../format/fit-names.ts';
import { withoutArguments } from '../format/name-parts.ts';
import { formatChange } from '../format/numbers.ts';
import { useApp } from '../page/app-context.ts';
import { useResource } from '../page/use-resource.ts';
import type { Span } from '../rpc/api.ts';
import { askChanges, grownFunction } from '../rpc/changes.ts';
import { type Compared, ComparisonLink } from './comparison-link.tsx';
import { InTurn } from './in-turn.ts';
import { serviceLink } from './service-cells.tsx';
import { computeChange, type ServiceRow } from './service-rows.ts';

/** Smallest change that is shown, because smaller changes are usually due to chance. */
const changeShownMin = 0.05;
/** Maximum number of services whose functions are compared; each takes a query. */
export const comparedMax = 20;
/** Time after which the functions of a service are compared again. */
const keptMillis = 300_000;
/** Number of characters of a function's name. */
const nameRoom = 22;

const turns = new InTurn();

interface ChangeProps {
  readonly row: ServiceRow;
  /** Query of the service. */
  readonly query: string;
  readonly span: Span;
  /** True to name the function that became slower since the deploy. */
  readonly namesFunction: boolean;
}

/** Shows the change since the last deploy, or since the preceding time. */
export function Change({ row, query, span, namesFunction }: ChangeProps) {
  const change = computeChange(row);
  const compared = comparisonOf(row, query, span);
  if (change === undefined || compared === undefined) {
    return row.cores !== undefined && row.cores > 0 ? <span className="hint">new</span> : null;
  }
  const isShown = Math.abs(change) >= changeShownMin;
  const look = !isShown ? 'steady' : change > 0 ? 'more' : 'less';
  return (
    <ComparisonLink compared={compared}>
      <span className={look}>
        {isShown && <span aria-hidden>{change > 0 ? '\u25b2 ' : '\u25bc '}</span>}
        {formatChange(change)}
        {row.deploy !== undefined && (
          <span className="hint"> since {shortVersion(row.deploy.value)}</span>
        )}
      </span>
      {namesFunction && row.deploy !== undefined && <Grown compared={compared} row={row} />}
    </ComparisonLink>
  );
}

/** Returns the handler for a click next to the link. */
export function useChangeClick({ row, query, span }: Omit<ChangeProps, 'namesFunction'>) {
  const { url } = useApp();
  const compared = comparisonOf(row, query, span);
  return compared && serviceLink(url, compared.query).open;
}

/** Returns the comparison whose change a row shows; undefined if the row shows no change. */
function comparisonOf(row: ServiceRow, query: string, span: Span): Compared | undefined {
  if (computeChange(row) === undefined) return undefined;
  const { deploy } = row;
  if (deploy !== undefined) {
    const names = { before: deploy.before, now: deploy.value };
    return { query: compareDeploy(query, deploy, span), span, names };
  }
  const names = { before: 'the time before', now: 'This time' };
  return { query: beforeAndAfter(query, span.from, span).query, span, names };
}

/** Names the function that became slower, because an improvement elsewhere may hide it. */
function Grown({ compared, row }: { readonly compared: Compared; readonly row: ServiceRow }) {
  const { base } = useApp();
  const { query, span } = compared;
  const [from, to] = [span.from, span.to].map((time) => Math.floor(time / keptMillis));
  const { value } = useResource(
    JSON.stringify(['grown', query, from, to]),
    ({ signal, tag }) =>
      turns.run(
        () => askChanges(base, query, span, { normalize: 'load', sort: 'flat' }, { signal, tag }),
        signal,
      ),
    { topic: `grown ${row.label} ${row.name} ${to - from}`, isQuiet: true },
  );
  const name = value && grownFunction(value);
  if (name === undefined) return null;
  return (
    <span className="grown more">
      <span aria-hidden>{'\u25b2 '}</span>
      more in <code title={name}>{fitName(withoutArguments(name), nameRoom)}</code>
    </span>
  );
}
