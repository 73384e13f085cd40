// The status page as HTML without scripts.
import { interpreterStatus } from '../../bpf/sampler.ts';
import type { InterpreterRow } from '../sampling/unwind-health.ts';
import type { AgentStatus, ExecutableRow, ProcessRow } from './status.ts';

/** Style of the page, which must not load other files. */
export const statusStyle = `
:root { color-scheme: light dark; --line: #8884; --faint: #888; --bad: #c33; }
body {
  font: 14px/1.45 system-ui, sans-serif; margin: 0 auto; max-width: 76rem;
  padding: 1rem 1.5rem 3rem;
}
h1 { font-size: 1.3rem; margin: 0 0 .2rem; }
h2 { font-size: 1rem; margin: 2rem 0 .4rem; }
p { margin: .2rem 0; color: var(--faint); }
dl {
  display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr));
  gap: .6rem 1.5rem; margin: 1rem 0;
}
dt { color: var(--faint); font-size: .85rem; }
dd { margin: 0; font-variant-numeric: tabular-nums; }
table { border-collapse: collapse; width: 100%; }
th, td {
  text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0;
  border-bottom: 1px solid var(--line);
}
th { font-weight: 600; }
td { overflow-wrap: anywhere; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
code { font: 12px/1.5 ui-monospace, monospace; }
.label { margin-right: .7em; }
.label b { font-weight: 400; color: var(--faint); }
summary { cursor: pointer; color: var(--faint); }
.bad { color: var(--bad); }
ul { padding-left: 1.2rem; }
`;

/** Returns the complete page. */
export function statusPage(status: AgentStatus): string {
  const { sender, notices } = status;
  const problems = [...notices, ...(sender?.lastError ? [sender.lastError] : [])];
  const list = problems.map((text) => `<li class="bad">${escape(text)}</li>`).join('');
  const items = facts(status).map(([name, value]) => {
    return `<div><dt>${escape(name)}</dt><dd>${escape(value)}</dd></div>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>parca-agent on ${escape(status.node)}</title>
<link rel="stylesheet" href="/style.css">
</head>
<body>
<h1>parca-agent on ${escape(status.node)}</h1>
<p>${escape(status.version)} · ${escape(status.destination)} ·
<a href="/metrics">metrics</a> · <a href="/status.json">status.json</a> ·
<a href="/debug/pprof/profile?seconds=10">profile of the agent</a></p>
${list === '' ? '' : `<ul>${list}</ul>`}
<dl>${items.join('')}</dl>
<h2>Processes</h2>
<p>Labels after relabeling; samples since the start.
<a href="#executables">Stacks by executable</a> come after them.</p>
<table>
<thead><tr><th class="number">pid</th><th class="number">samples</th><th>labels</th></tr></thead>
<tbody>${status.processes.map(processLine).join('\n')}</tbody>
</table>
<h2 id="executables">Executables</h2>
<p>Share of stacks that reach the first function of the thread.</p>
<table>
<thead><tr>
<th>executable</th><th class="number">samples</th><th class="number">whole</th>
<th>others</th><th>first failure</th>
</tr></thead>
<tbody>${status.executables.map(executableLine).join('\n')}</tbody>
</table>
${interpreterTable(status.interpreters)}
</body>
</html>
`;
}

function facts(status: AgentStatus): [name: string, value: string][] {
  const { sampler, sender, queue, uploads } = status;
  const cpuShare = (status.cpuSeconds / Math.max(1, status.uptimeSeconds)) * 100;
  const rows: [string, string][] = [
    ['running for', duration(status.uptimeSeconds)],
    ['CPU of the agent', `${cpuShare.toFixed(2)} % of a core`],
    ['memory of the agent', formatBytes(status.memoryBytes)],
    ['names of functions', status.symbols],
  ];
  if (sampler !== undefined) {
    rows.push(
      ['samples', number(sampler.samples)],
      ['lost samples', number(sampler.lostSamples + sampler.droppedSamples)],
      ['samples not taken, of what is not wanted', number(sampler.skippedSamples)],
      ['truncated stacks', number(sampler.stacksByStatus[1] ?? 0)],
      ...interpreterFacts('Python', sampler.pythonByStatus),
      ...interpreterFacts('Ruby', sampler.rubyByStatus),
      ...interpreterFacts('PHP', sampler.phpByStatus),
      ['unwinding tables', `${number(sampler.tables)}, ${formatBytes(sampler.tableBytes)}`],
    );
  }
  if (sender !== undefined) {
    rows.push(
      ['requests sent', `${number(sender.sentRequests)}, ${formatBytes(sender.sentBytes)}`],
      ['requests refused', number(sender.refusedRequests)],
    );
  }
  if (uploads !== undefined) {
    const { uploaded, pending, isUnsupported } = uploads;
    const text = isUnsupported
      ? 'not taken by the server'
      : `${uploaded} uploaded, ${pending} wait`;
    rows.push(['debug information', text]);
  }
  if (queue !== undefined) {
    rows.push(
      [
        'requests waiting',
        `${number(queue.requests)}, ${formatBytes(queue.memoryBytes + queue.diskBytes)}`,
      ],
      ['requests dropped', number(queue.droppedRequests)],
    );
  }
  return rows;
}

/** Counts the stacks of a language, and the stacks whose frames could not be unwound. */
function interpreterFacts(
  language: string,
  byStatus: readonly number[],
): [name: string, value: string][] {
  const counts = Object.entries(interpreterStatus).flatMap(([name, status]): [string, number][] => {
    const count = byStatus[status] ?? 0;
    return status === interpreterStatus.unseen || count === 0 ? [] : [[name, count]];
  });
  if (counts.length === 0) return [];
  const text = counts.map(([name, count]) => `${number(count)} ${name}`).join(', ');
  return [[`stacks of ${language}`, text]];
}

function processLine({ pid, samples, labels, found, comm }: ProcessRow): string {
  const shown =
    labels === undefined
      ? `<span class="bad">${escape(comm)}: dropped by relabel_configs</span>`
      : labelList(labels);
  const before = `<details><summary>before relabeling</summary>${labelList(found)}</details>`;
  return (
    `<tr><td class="number">${pid}</td><td class="number">${number(samples)}</td>` +
    `<td>${shown}${before}</td></tr>`
  );
}

function executableLine(row: ExecutableRow): string {
  const { executable, samples, completeShare, failures, firstFailure } = row;
  const others = Object.entries(failures).map(([name, count]) => `${name} ${number(count)}`);
  return (
    `<tr><td><code>${escape(executable || '(unknown)')}</code></td>` +
    `<td class="number">${number(samples)}</td>` +
    `<td class="number">${(completeShare * 100).toFixed(1)} %</td>` +
    `<td>${escape(others.join(', '))}</td><td><code>${escape(firstFailure)}</code></td></tr>`
  );
}

function interpreterTable(rows: readonly InterpreterRow[]): string {
  if (rows.length === 0) return '';
  const lines = rows.map(
    ({ path, state }) => `<tr><td><code>${escape(path)}</code></td><td>${escape(state)}</td></tr>`,
  );
  return `<h2>Interpreters</h2>
<table>
<thead><tr><th>file</th><th>functions of its programs</th></tr></thead>
<tbody>${lines.join('\n')}</tbody>
</table>`;
}

function labelList(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(
      ([name, value]) =>
        `<code class="label"><b>${escape(name)}=</b>${escape(value.slice(0, 200))}</code>`,
    )
    .join(' ');
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}

/** Formats bytes: "12.3 MiB". */
function formatBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB'];
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1_024 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${units[power]}`;
}

function duration(seconds: number): string {
  const parts = [
    Math.floor(seconds / 3_600),
    Math.floor(seconds / 60) % 60,
    Math.floor(seconds) % 60,
  ];
  return parts.map((part, i) => (i === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a string for HTML, because names and labels of processes are untrusted. */
function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character]);
}
