// A finding: what changed, since when, the functions, and actions.
import { useState } from 'react';
import { formatAge, formatBytes, formatCores, formatPercent } from '../format/numbers.ts';
import { plural } from '../format/plural.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import { Icon } from '../parts/icon.tsx';
import { changeFinding, type FindingAnswer, type FindingFunction } from '../rpc/findings.ts';
import { comparedFinding } from './compared-finding.ts';

interface FindingProps {
  readonly finding: FindingAnswer;
  readonly now: number;
  readonly onChanged: () => void;
}

/** Maximum number of functions that are listed initially. */
const functionsMax = 4;

export function Finding({ finding, now, onChanged }: FindingProps) {
  const { url } = useApp();
  const { state: place } = usePlace();
  const { id, resource, service, functions, isRegression, state, resolution } = finding;
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? functions : functions.slice(0, functionsMax);
  const href = url.formatHref('explore', { ...place, ...comparedFinding(finding, now) });
  const [cause] = functions;
  const isDone = state === 'resolved';
  // Accessible regions must have different names.
  const label = `Functions of ${service.name}: ${cause.name}, ${finding.time}`;
  return (
    <li id={id} className="finding">
      <div className="finding-head">
        <span className={`health ${isDone ? 'up' : isRegression ? 'down' : 'unknown'}`}>
          <Icon name={isDone ? 'check' : isRegression ? 'up' : 'down'} />
          {formatSigned(resource, cause.amount)}
        </span>
        <b>{service.name}</b>
        <code className="finding-name">{cause.name}</code>
        {resource !== 'cpu' && <span>{resourceNames[resource]}</span>}
        <span className="hint">{sinceText(finding, now)}</span>
        {resolution !== undefined && <span className="hint">{resolutions[resolution]}</span>}
      </div>
      <div className="table-room" role="region" aria-label={label} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th>Function</th>
              <th>Cost</th>
              <th>Before</th>
              <th>Now</th>
              <th>Change, 95 %</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((one) => (
              <Row key={`${one.name} ${one.measure}`} resource={resource} row={one} />
            ))}
          </tbody>
        </table>
      </div>
      <div className="finding-actions">
        <a className="button" href={href}>
          Compare before and after
        </a>
        {!isDone && <StateButton finding={finding} onChanged={onChanged} />}
        {functions.length > shown.length && (
          <button type="button" className="button quiet" onClick={() => setWhole(true)}>
            {plural(functions.length - shown.length, 'more function')}
          </button>
        )}
      </div>
    </li>
  );
}

const resolutions = {
  undone: 'it costs as little as before',
  usual: 'it has lasted two weeks',
} as const;

function sinceText(
  { kind, version, versionBefore, versionLabel, time }: FindingAnswer,
  now: number,
) {
  const ago = `${formatAge(Math.max(0, now - Date.parse(time)))} ago`;
  if (kind === 'deploy') return `${versionLabel} ${versionBefore} → ${version}, ${ago}`;
  if (kind === 'mark') return `${version}, ${ago}`;
  return kind === 'drift' ? `little by little, since ${ago}` : `without a deploy, ${ago}`;
}

const resourceNames = { memory: 'memory in use', allocations: 'allocations' } as const;

type Resource = FindingAnswer['resource'];

function formatSigned(resource: Resource, amount: number): string {
  const size = Math.abs(amount);
  const text = {
    cpu: () => formatCores(size),
    memory: () => formatBytes(size),
    allocations: () => `${formatBytes(size)}/s`,
  }[resource]();
  return `${amount > 0 ? '+' : '−'}${text}`;
}

interface RowProps {
  readonly resource: Resource;
  readonly row: FindingFunction;
}

function Row({ resource, row }: RowProps) {
  const { name, measure, before, after, amount, low, high } = row;
  return (
    <tr>
      <td className="finding-name">
        <code>{name}</code>
        {measure === 'cumulative' && <span className="hint"> with callees</span>}
      </td>
      <td>{formatSigned(resource, amount)}</td>
      <td>{formatPercent(before)}</td>
      <td>{formatPercent(after)}</td>
      <td>
        {formatPoints(low)} to {formatPoints(high)}
      </td>
    </tr>
  );
}

function formatPoints(share: number): string {
  return `${share > 0 ? '+' : '−'}${formatPercent(Math.abs(share))}`;
}

interface StateButtonProps {
  readonly finding: FindingAnswer;
  readonly onChanged: () => void;
}

function StateButton({ finding: { id, state }, onChanged }: StateButtonProps) {
  const { base } = useApp();
  const [problem, setProblem] = useState('');
  const isOpen = state === 'open';
  const change = async () => {
    try {
      await changeFinding(base, id, isOpen ? 'acknowledged' : 'open');
      setProblem('');
      onChanged();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <>
      <button type="button" className="button" onClick={() => void change()}>
        {isOpen ? 'Acknowledge' : 'Open again'}
      </button>
      {problem !== '' && (
        <span className="field-error" role="alert">
          {problem}
        </span>
      )}
    </>
  );
}
