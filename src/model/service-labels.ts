// Labels that name services and their versions, in the order in which they count.

/**
 * Labels that name a service: the first one that a series has. The agent sets `executable`, because
 * programs name their threads: each Node process would be `MainThread`, and npm its arguments.
 */
export const serviceLabels: readonly string[] = [
  'job',
  'service_name',
  'app',
  'executable',
  'comm',
];

/** Labels that name a deployed version: the first one that has a value. */
export const versionLabels: readonly string[] = [
  'version',
  'service_version',
  'commit',
  'git_ref',
  'image',
  'build_id',
];
