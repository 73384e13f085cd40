import assert from 'node:assert/strict';
import { openSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { addSchedulerLabels } from './scheduler-labels.ts';

function findLabels(
  environment: Readonly<Record<string, string>>,
  openFile: (path: string) => number = () => -1,
): Record<string, string> {
  const labels: Record<string, string> = {};
  addSchedulerLabels(new Map(Object.entries(environment)), openFile, (name, value) => {
    if (value !== '') labels[name] = value;
  });
  return labels;
}

test('a task of Nomad by its variables', () => {
  const found = findLabels({
    NOMAD_ALLOC_ID: '1b4e28ba-2fa1-11d2-883f-0016d3cca427',
    NOMAD_JOB_NAME: 'shop',
    NOMAD_GROUP_NAME: 'web',
    NOMAD_TASK_NAME: 'nginx',
    NOMAD_NAMESPACE: 'default',
    NOMAD_REGION: 'global',
    NOMAD_DC: 'dc1',
    NOMAD_SECRETS_DIR: '/secrets',
  });
  assert.deepEqual(found, {
    __meta_nomad_alloc_id: '1b4e28ba-2fa1-11d2-883f-0016d3cca427',
    __meta_nomad_job_name: 'shop',
    __meta_nomad_group_name: 'web',
    __meta_nomad_task_name: 'nginx',
    __meta_nomad_namespace: 'default',
    __meta_nomad_region: 'global',
    __meta_nomad_dc: 'dc1',
  });
});

test('a container of ECS by its file, and no other file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ecs-'));
  const file = join(folder, 'metadata.json');
  const opened: string[] = [];
  const open = (path: string): number => {
    opened.push(path);
    return openSync(file, 'r');
  };
  const path = '/opt/ecs/metadata/0123abcd-ef/ecs-container-metadata.json';
  const read = (at = path): Record<string, string> =>
    findLabels({ ECS_CONTAINER_METADATA_FILE: at }, open);
  try {
    await writeFile(
      file,
      JSON.stringify({
        Cluster: 'prod',
        ContainerInstanceARN: 'arn:aws:ecs:eu-central-1:1:container-instance/prod/a',
        TaskARN: 'arn:aws:ecs:eu-central-1:1:task/prod/b',
        TaskDefinitionFamily: 'shop',
        TaskDefinitionRevision: '7',
        ContainerName: 'web',
        MetadataFileStatus: 'READY',
      }),
    );
    assert.deepEqual(read(), {
      __meta_ecs_cluster: 'prod',
      __meta_ecs_container_name: 'web',
      __meta_ecs_task_arn: 'arn:aws:ecs:eu-central-1:1:task/prod/b',
      __meta_ecs_task_definition_family: 'shop',
      __meta_ecs_task_definition_revision: '7',
    });
    await writeFile(file, '{"Cluster": "pr');
    assert.deepEqual(read(), {});
    assert.deepEqual(read('/etc/shadow.json'), {});
    assert.deepEqual(opened, [path, path]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
