// Result of a check as workflow commands, which GitHub shows as annotations. Source:
// https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions
import type { CheckResult, Finding } from '../check-sides.ts';
import { changeText, itemName, resultText, verdictText } from '../phrases.ts';

/** Maximum number of annotations of one kind that GitHub shows per step. */
const annotationsMax = 10;

/** Formats the findings that did not pass, and a notice with the result. */
export function githubReport(result: CheckResult): string {
  const { findings } = result;
  const commands = (['exceeded', 'unclear'] as const).flatMap((outcome) => {
    const own = findings.filter((one) => one.isDecisive && one.outcome === outcome);
    return own.slice(0, annotationsMax).map((one) => annotation(one));
  });
  const last = `::notice title=Profile check::${message(resultText(result))}`;
  return `${[...commands, last].join('\n')}\n`;
}

function annotation(finding: Finding): string {
  const { outcome, place } = finding;
  const command = outcome === 'exceeded' ? 'error' : 'warning';
  const path = place?.path ?? '';
  const properties = [
    ...(path === '' ? [] : [`file=${property(path)}`]),
    ...(path === '' || place === undefined || place.line === 0 ? [] : [`line=${place.line}`]),
    `title=${property(itemName(finding))}`,
  ];
  const text = `${itemName(finding)}: ${changeText(finding)}: ${verdictText(finding)}`;
  return `::${command} ${properties.join(',')}::${message(text)}`;
}

function message(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return message(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
