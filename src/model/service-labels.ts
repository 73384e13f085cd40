// Labels that name services and their versions, in the order of preference.

/**
 * Labels that name a service: the first of them that a series has. The agent sets `executable`,
 * because programs rename their threads. Without it, each Node process would be named `MainThread`,
 * and npm would be named after its arguments.
 */
export const serviceLabels: readonly string[] = [
  'job',
  'service_name',
  'app',
  'executable',
  'comm',
];

/** Labels that name a deployed version: the first of them that has a value. */
export const versionLabels: readonly string[] = [
  'version',
  'service_version',
  'commit',
  'git_ref',
  'image',
  'build_id',
];
