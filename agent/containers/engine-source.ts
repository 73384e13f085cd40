// Containers of Docker and Podman, from the Engine API on a local socket.
//
// Source: https://docs.docker.com/reference/api/engine; Podman implements the same API.
import type { IncomingMessage } from 'node:http';
import { AppError } from '../../src/base/errors.ts';
import { request } from '../../src/base/node/http.ts';
import { parseJsonBytes } from '../../src/base/text/json.ts';
import {
  readList,
  type Json,
  stringsAt,
  mapAt,
  stringAt,
} from '../../src/base/text/json-values.ts';
import { runtimeAnswerBytesMax } from '../limits.ts';
import { addPairs, type ContainerLabels, type ContainerSource } from './found-container.ts';

/** Runtimes with the Engine API. */
export type Engine = 'docker' | 'podman';

/** Labels that the ECS agent sets on containers, and their names here. */
const ecsNames: Readonly<Record<string, string>> = {
  'com.amazonaws.ecs.cluster': '__meta_ecs_cluster',
  'com.amazonaws.ecs.container-name': '__meta_ecs_container_name',
  'com.amazonaws.ecs.task-arn': '__meta_ecs_task_arn',
  'com.amazonaws.ecs.task-definition-family': '__meta_ecs_task_definition_family',
  'com.amazonaws.ecs.task-definition-version': '__meta_ecs_task_definition_revision',
};

/** Filter for events that change the list of containers or their labels. */
const eventQuery = encodeURIComponent(
  JSON.stringify({ type: ['container'], event: ['start', 'rename', 'update'] }),
);

/** Returns a source of the containers of an engine. */
export function createEngineSource(
  socket: string,
  engine: Engine,
  bytesMax: number = runtimeAnswerBytesMax,
): ContainerSource {
  return {
    socket,
    list: async (signal) => {
      // Includes stopped containers, because samples may arrive later.
      const answer = await ask(socket, '/containers/json?all=true', signal);
      const parts: Buffer[] = [];
      let bytes = 0;
      for await (const part of answer as AsyncIterable<Buffer>) {
        bytes += part.length;
        if (bytes > bytesMax) {
          throw new AppError(
            'resource-exhausted',
            'cannot list containers: the answer is too large',
          );
        }
        parts.push(part);
      }
      return readLabels(engine, parseJsonBytes(Buffer.concat(parts), 'cannot list containers'));
    },
    watch: async (signal, onChange) => {
      const answer = await ask(socket, `/events?filters=${eventQuery}`, signal);
      onChange();
      // Each chunk contains at least one event; its content does not matter.
      for await (const part of answer as AsyncIterable<Buffer>) if (part.length > 0) onChange();
      throw new AppError('unavailable', 'cannot watch containers: the engine ended the answer');
    },
    close: () => undefined,
  };
}

/**
 * Sends a GET request to the engine. Errors: network errors; AppError 'unavailable' for a status
 * other than 200.
 */
function ask(socketPath: string, path: string, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath, path, signal, agent: false, headers: { host: 'docker' } });
    sent.once('error', reject);
    sent.once('response', (answer) => {
      if (answer.statusCode === 200) {
        resolve(answer);
        return;
      }
      answer.destroy();
      const why = `the answer has status ${answer.statusCode}`;
      reject(new AppError('unavailable', `cannot get ${path}: ${why}`));
    });
    sent.end();
  });
}

function readLabels(engine: Engine, answer: unknown): ContainerLabels {
  const found = new Map<string, ReadonlyMap<string, string>>();
  for (const container of readList(answer)) {
    const own = mapAt(container, 'Labels');
    // Containers of pods are read from CRI or the API server instead.
    if (own['io.kubernetes.pod.name'] !== undefined) continue;
    const id = stringAt(container, 'Id');
    if (id !== '')
      found.set(id, containerLabels(`__meta_${engine}_container_`, id, container, own));
  }
  return found;
}

function containerLabels(
  prefix: string,
  id: string,
  container: Json,
  own: Json,
): ReadonlyMap<string, string> {
  const labels = new Map([[`${prefix}id`, id]]);
  const set = (name: string, value: string): void => {
    if (value !== '') labels.set(name, value);
  };
  set(`${prefix}name`, (stringsAt(container, 'Names').at(0) ?? '').replace(/^\//, ''));
  set(`${prefix}image`, stringAt(container, 'Image'));
  const pairs = new Map(Object.keys(own).map((name) => [name, stringAt(own, name)]));
  addPairs(labels, prefix, 'label', pairs);
  for (const [name, target] of Object.entries(ecsNames)) set(target, pairs.get(name) ?? '');
  return labels;
}
