// Names of source files in debug information and in archives.
import { withSlashes } from '../model/file-path.ts';

/**
 * Returns the parts of a name that distinguish files. Omits the scheme (`file:`, `webpack:`), the
 * Windows drive, leading slashes, `.` and `..`. Undefined for a name that leads out of its root.
 */
export function plainName(name: string): string | undefined {
  const parts: string[] = [];
  const path = withSlashes(name).replace(/^[A-Za-z]:\//, '');
  for (const part of path.replace(/^[a-z][a-z-]+:\/\//, '').split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}
