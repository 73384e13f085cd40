// Interns recipes as a server with ingest workers does, but without threads.
import { finishAtOnce } from '../../base/pacer.ts';
import { SymbolReplica } from '../../ingest/symbol-replica.ts';
import { SymbolSender } from '../../ingest/symbol-sender.ts';
import type { Dictionary, Seeds } from '../../model/dictionary.ts';
import type { IncomingProfile } from '../interface.ts';
import { internRecipe, type Recipe } from './recipes.ts';

/** Function that turns a recipe into a profile, for an appender with the given dictionary. */
export type InternRecipe = (dictionary: Dictionary, recipe: Recipe) => IncomingProfile;

const workerCount = 2;
/**
 * Memory for the symbols of a worker, in bytes. It is little more than empty tables take, so that a
 * worker often starts again.
 */
const symbolBytesMax = 6_000;
const seeds: Seeds = [5, 6, 7];

/**
 * Starts workers, each of which interns the profiles of some instances. Their dictionaries are
 * empty at first, as in a new process.
 */
export function startWorkers(): InternRecipe {
  const workers = Array.from({ length: workerCount }, () => ({
    sender: new SymbolSender(seeds, symbolBytesMax),
    target: undefined as Dictionary | undefined,
    replica: undefined as SymbolReplica | undefined,
  }));
  return (dictionary, recipe) => {
    const worker = workers[recipe.instance.charCodeAt(recipe.instance.length - 1) % workerCount];
    if (worker.target !== dictionary) worker.sender.renew();
    worker.target = dictionary;
    const profile = internRecipe(worker.sender.dictionary, recipe);
    const { isFirst, payloads } = worker.sender.take();
    if (isFirst) worker.replica = new SymbolReplica(seeds, dictionary);
    if (worker.replica !== undefined) {
      finishAtOnce(worker.replica.apply(payloads));
      finishAtOnce(worker.replica.carry(profile));
    }
    return profile;
  };
}
