// Labels from schedulers: Nomad sets environment variables, ECS writes a file in the container.
import { parseJsonBytes } from '../../src/base/text/json.ts';
import { closeSync } from 'node:fs';
import { mapAt, stringAt } from '../../src/base/text/json-values.ts';
import { openDescriptor } from '../files/open-file.ts';
import { ecsFileBytesMax } from '../limits.ts';

/** Labels by Nomad's environment variables. */
const nomadNames: Readonly<Record<string, string>> = {
  NOMAD_ALLOC_ID: '__meta_nomad_alloc_id',
  NOMAD_JOB_NAME: '__meta_nomad_job_name',
  NOMAD_GROUP_NAME: '__meta_nomad_group_name',
  NOMAD_TASK_NAME: '__meta_nomad_task_name',
  NOMAD_NAMESPACE: '__meta_nomad_namespace',
  NOMAD_REGION: '__meta_nomad_region',
  NOMAD_DC: '__meta_nomad_dc',
};

/** Labels by keys in the ECS file. */
const ecsNames: Readonly<Record<string, string>> = {
  Cluster: '__meta_ecs_cluster',
  ContainerName: '__meta_ecs_container_name',
  TaskARN: '__meta_ecs_task_arn',
  TaskDefinitionFamily: '__meta_ecs_task_definition_family',
  TaskDefinitionRevision: '__meta_ecs_task_definition_revision',
};

const ecsVariable = 'ECS_CONTAINER_METADATA_FILE';
/**
 * Form of the paths that the ECS agent uses. Other paths are ignored, because a process could name
 * any file.
 */
const ecsPath = /^\/opt\/ecs\/metadata\/[\w-]+\/ecs-container-metadata\.json$/;

/** Environment variables to read. */
export const schedulerVariables: readonly string[] = [...Object.keys(nomadNames), ecsVariable];

/** All labels that schedulers provide. */
export const schedulerLabels: readonly string[] = [
  ...Object.values(nomadNames),
  ...Object.values(ecsNames),
];

/**
 * Adds the labels. `openFile` opens a file as the process sees it, and returns a descriptor or -1.
 */
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

/** Returns the content of a JSON file; undefined if there is no file. */
function readJson(descriptor: number): unknown {
  if (descriptor === -1) return undefined;
  try {
    const file = openDescriptor(descriptor);
    if (file === undefined || file.size > ecsFileBytesMax) return undefined;
    return parseJsonBytes(file.readNow(0, file.size), 'cannot read the task');
  } catch {
    // The file is being written, or is not an ECS file.
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}
