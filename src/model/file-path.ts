// Paths of files in profiles: Unix paths, or Windows paths with backslashes.

/** Matches the beginning of a Windows path: a drive, or a share on another machine. */
const windowsForm = /^(?:[A-Za-z]:|\\\\)/;

/**
 * Returns true for a Windows path, in which backslashes separate folders. On Unix, backslashes are
 * ordinary characters.
 */
function isOfWindows(path: string): boolean {
  return path.includes('\\') && (windowsForm.test(path) || !path.includes('/'));
}

/** Returns the last part of a path, which is the file's name without its folders. */
export function baseName(path: string): string {
  const slash = path.lastIndexOf('/');
  const end = isOfWindows(path) ? Math.max(slash, path.lastIndexOf('\\')) : slash;
  return path.slice(end + 1);
}

/** Returns a path with a slash after each of its folders. */
export function withSlashes(path: string): string {
  return isOfWindows(path) ? path.replaceAll('\\', '/') : path;
}
