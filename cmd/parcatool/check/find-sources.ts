// Finds the source files of functions in the checkout, so that reports can point to their lines.
import { stat } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import type { CheckResult, Finding } from './check-sides.ts';

/** Parts of a path that must be the same, so that it is not another file of that name. */
const partsMin = 2;

/** Returns the result with the paths of sources that are in `folder`, relative to it. */
export async function findSources(result: CheckResult, folder: string): Promise<CheckResult> {
  const known = new Map<string, string>();
  const findings: Finding[] = [];
  for (const finding of result.findings) {
    const { place, outcome } = finding;
    if (place === undefined || outcome === 'kept') {
      findings.push(finding);
      continue;
    }
    const path = known.get(place.file) ?? (await findSource(place.file, folder));
    known.set(place.file, path);
    findings.push({ ...finding, place: { ...place, path } });
  }
  return { ...result, findings };
}

/**
 * Returns the longest end of a path that is a file in `folder`: compilers write paths of other
 * machines, or those of a module. "" if there is none.
 */
async function findSource(file: string, folder: string): Promise<string> {
  const inside = isAbsolute(file) ? relative(folder, file) : file;
  const parts = (inside.startsWith('..') ? file : inside).split('/').filter((part) => part !== '');
  for (let i = 0; i === 0 || i <= parts.length - partsMin; i += 1) {
    const path = parts.slice(i).join('/');
    const found = await stat(join(folder, path)).catch(() => undefined);
    if (found?.isFile() === true) return path;
  }
  return '';
}
