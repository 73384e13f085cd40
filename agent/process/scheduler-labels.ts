// Labels of schedulers: Nomad sets environment variables, ECS writes a file in the container.
import { parseJsonBytes } from '../../src/base/text/json.ts';
import { closeSync } from 'node:fs';
import { mapAt, stringAt } from '../../src/base/text/json-values.ts';
import { openDescriptor } from '../files/open-file.ts';
import { ecsFileBytesMax } from '../limits.ts';

/** Variables of Nomad, and the labels that they become. */
const nomadNames: Readonly<Record<string, string>> = {
  NOMAD_ALLOC_ID: '__meta_nomad_alloc_id',
  NOMAD_JOB_NAME: '__meta_nomad_job_name',
  NOMAD_GROUP_NAME: '__meta_nomad_group_name',
  NOMAD_TASK_NAME: '__meta_nomad_task_name',
  NOMAD_NAMESPACE: '__meta_nomad_namespace',
  NOMAD_REGION: '__meta_nomad_region',
  NOMAD_DC: '__meta_nomad_dc',
};

/** Keys of the file of ECS, and the labels that they become. */
const ecsNames: Readonly<Record<string, string>> = {
  Cluster: '__meta_ecs_cluster',
  ContainerName: '__meta_ecs_container_name',
  TaskARN: '__meta_ecs_task_arn',
  TaskDefinitionFamily: '__meta_ecs_task_definition_family',
  TaskDefinitionRevision: '__meta_ecs_task_definition_revision',
};

const ecsVariable = 'ECS_CONTAINER_METADATA_FILE';
/** The path that the ECS agent uses; a process could name any other file. */
const ecsPath = /^\/opt\/ecs\/metadata\/[\w-]+\/ecs-container-metadata\.json$/;

/** Variables that are read. */
export const schedulerVariables: readonly string[] = [...Object.keys(nomadNames), ecsVariable];

/** All labels that schedulers provide. */
export const schedulerLabels: readonly string[] = [
  ...Object.values(nomadNames),
  ...Object.values(ecsNames),
];

/** Adds the labels; `openFile` returns a descriptor of a file as the process sees it, or -1. */
export function addSchedulerLabels(
  environment: ReadonlyMap<string, string>,
  openFile: (path: string) => number,
  set: (name: string, value: string) => void,
): void {
  for (const [variable, name] of Object.entries(nomadNames)) {
    set(name, environment.get(variable) ?? '');
  }
  const path = environment.get(ecsVariable);
  if (path === undefined || !ecsPath.test(path)) return;
  const found = mapAt({ file: readJson(openFile(path)) }, 'file');
  for (const [key, name] of Object.entries(ecsNames)) set(name, stringAt(found, key));
}

/** Returns the value of a JSON file; undefined if there is none. */
function readJson(descriptor: number): unknown {
  if (descriptor === -1) return undefined;
  try {
    const file = openDescriptor(descriptor);
    if (file === undefined || file.size > ecsFileBytesMax) return undefined;
    return parseJsonBytes(file.readNow(0, file.size), 'cannot read the task');
  } catch {
    // A file that is being written, or an unrelated file.
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}
