// Finds the source files of functions in the checkout, so that reports can link to lines.
import { stat } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import type { CheckResult, Finding } from './check-sides.ts';

/**
 * Minimum number of path components at the end that must be equal, because other files may have the
 * same name.
 */
const partsMin = 2;

/** Returns the result with paths of source files relative to `folder`, if they exist there. */
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
 * Returns the longest suffix of a path that is a file in `folder`; "" if there is none. The whole
 * path is rarely a file there, because compilers write paths of other machines or of modules.
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
