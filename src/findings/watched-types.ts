// The profile types that are searched for changes: CPU time, memory in use, and allocations.
import { describeTime, isMemoryInUse } from '../model/profile-meaning.ts';
import { formatProfileType, type ProfileType } from '../model/profile-type.ts';
import { quoteString } from '../promql-like/string.ts';
import type { FindingResource, ServiceName } from './interface.ts';
import { memoryTypesMax } from './limits.ts';

/** Profiles of one resource that are searched together. */
export interface WatchedType {
  readonly resource: FindingResource;
  /** Profile type of the queries, without conditions on labels. */
  readonly selector: string;
  /** Stages at the end of the queries, such as ` | increase`. */
  readonly stages: string;
}

/** Profiles of CPU time, whatever their profile type is. */
const cpuType: WatchedType = { resource: 'cpu', selector: 'cpu', stages: '' };

/**
 * Returns the types to search; CPU time is first. If a service has several types of the same
 * resource, only the first of them is searched for it, because they usually describe the same
 * memory.
 */
export function watchedTypes(known: readonly ProfileType[]): readonly WatchedType[] {
  const inUse = known.filter(isMemoryInUse);
  const allocations = known.filter(
    ({ sample }) => sample.unit === 'bytes' && sample.type === 'alloc_space',
  );
  return [cpuType, ...typesOf('memory', inUse), ...typesOf('allocations', allocations)];
}

function typesOf(resource: FindingResource, types: readonly ProfileType[]): WatchedType[] {
  return types
    .map((type) => ({
      resource,
      selector: formatProfileType(type),
      stages: describeTime(type) === 'counts' ? ' | increase' : '',
    }))
    .toSorted((a, b) => (a.selector < b.selector ? 1 : -1))
    .slice(0, memoryTypesMax);
}

/** Returns the query for one resource of a service. */
export function serviceQuery(
  { selector, stages }: WatchedType,
  { label, name }: ServiceName,
): string {
  return `${selector}{${label}=${quoteString(name)}}${stages}`;
}

/** Returns a unique key for one resource of a service. */
export function watchedKey({ resource }: WatchedType, { label, name }: ServiceName): string {
  return `${resource}\0${label}\0${name}`;
}

/** Returns the query for one resource of all services. */
export function queryOfAll({ selector, stages }: WatchedType): string {
  return `${selector}${stages}`;
}
