// File names as profiles show them.

const scheme = 'file://';

/** Our own files relative to the project, packages from node_modules on; others as they are. */
export function shownFile(file: string, projectFolder: string): string {
  const path = file.startsWith(scheme) ? decodeURI(file.slice(scheme.length)) : file;
  return path.startsWith(`${projectFolder}/`) ? path.slice(projectFolder.length + 1) : path;
}
