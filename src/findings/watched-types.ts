// The profile types in which changes are searched: CPU time, memory in use, and allocations.
import { describeTime, isMemoryInUse } from '../model/profile-meaning.ts';
import { formatProfileType, type ProfileType } from '../model/profile-type.ts';
import { quoteString } from '../promql-like/string.ts';
import type { FindingResource, ServiceName } from './interface.ts';
import { memoryTypesMax } from './limits.ts';

/** Profile types that are searched together. */
export interface WatchedType {
  readonly resource: FindingResource;
  /** Profile type of queries, without conditions. */
  readonly selector: string;
  /** Stages of queries, such as ` | increase`. */
  readonly stages: string;
}

/** All profiles of CPU time. */
const cpuType: WatchedType = { resource: 'cpu', selector: 'cpu', stages: '' };

/**
 * Returns the types to search, CPU time first. A service with several types of one resource is
 * searched in the first of them, because they usually describe the same memory.
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
