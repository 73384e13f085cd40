// Containers of individual users (rootless Docker and Podman), listed through sockets in the users'
// folders.
//
// The user controls the responses on such a socket. Therefore a response is used only for that
// user's own containers, and there are limits on the number of requests, their duration and the
// size of responses.
import type { Clock } from '../../src/base/clock.ts';
import { networkMessage } from '../../src/base/errors.ts';
import { LeastRecent } from '../../src/base/least-recent.ts';
import type { Logger } from '../../src/base/logger.ts';
import {
  containerRetryMillis,
  userAnswerBytesMax,
  userContainersMax,
  userEnginesMax,
  userRuntimeMillisMax,
} from '../limits.ts';
import { createEngineSource, type Engine } from './engine-source.ts';
import type { Pairs } from './found-container.ts';
import { openUserSocket } from './user-socket.ts';

/** Folder that contains a folder for each logged-in user. */
export const userFolders = '/run/user';

/** Sockets in a user's folder. */
const sockets: readonly (readonly [engine: Engine, path: string])[] = [
  ['docker', 'docker.sock'],
  ['podman', 'podman/podman.sock'],
];

/** Container of a user. */
export interface UserContainer {
  readonly userId: number;
  readonly id: string;
}

export interface UserContainersOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly folder: string;
}

/** State of the engines of one user. */
interface User {
  /** Listed containers by id. */
  readonly known: LeastRecent<Pairs>;
  /** Earliest time of the next query. */
  nextMillis: number;
  /** Reason of the last failure, which is logged once. */
  problem: string;
}

/** Labels of users' containers. A user's engines are queried when a container is unknown. */
export class UserContainers {
  readonly #options: UserContainersOptions;
  /** Users by id. */
  readonly #users = new LeastRecent<User>(userEnginesMax, () => 1);
  readonly #stopping = new AbortController();

  constructor(options: UserContainersOptions) {
    this.#options = options;
  }

  /** Returns the labels of a container; undefined if it is unknown. */
  find({ userId, id }: UserContainer): Pairs | undefined {
    return this.#users.get(String(userId))?.known.get(id);
  }

  /**
   * Queries the engines of the users who have unknown containers. Takes at most
   * `userRuntimeMillisMax`; a response that arrives later is used for later batches.
   */
  async load(containers: readonly UserContainer[]): Promise<void> {
    const now = this.#options.clock.monotonicMillis();
    const wanted = new Set(
      containers.filter((one) => this.find(one) === undefined).map(({ userId }) => userId),
    );
    const due = [...wanted].flatMap((userId) => {
      const user = this.#openUser(userId);
      if (now < user.nextMillis) return [];
      user.nextMillis = now + containerRetryMillis;
      return sockets.map(([engine, name]) =>
        this.#list({ userId, user, engine, path: `${this.#options.folder}/${userId}/${name}` }),
      );
    });
    await Promise.all(due);
  }

  stop(): void {
    this.#stopping.abort();
  }

  #openUser(userId: number): User {
    const known = this.#users.get(String(userId));
    if (known !== undefined) return known;
    const user: User = {
      known: new LeastRecent(userContainersMax, () => 1),
      nextMillis: -Infinity,
      problem: '',
    };
    this.#users.put(String(userId), user);
    return user;
  }

  async #list({ userId, user, engine, path }: UserEngine): Promise<void> {
    const socket = openUserSocket(path, userId);
    if (socket === undefined) return;
    const deadline = AbortSignal.timeout(userRuntimeMillisMax);
    const signal = AbortSignal.any([this.#stopping.signal, deadline]);
    try {
      const source = createEngineSource(socket.path, engine, userAnswerBytesMax);
      for (const [id, labels] of await source.list(signal)) user.known.put(id, labels);
      user.problem = '';
    } catch (error) {
      const problem = networkMessage(error);
      if (this.#stopping.signal.aborted || problem === user.problem) return;
      user.problem = problem;
      this.#options.logger.warn('cannot ask the engine of a user for its containers', {
        socket: path,
        error: problem,
      });
    } finally {
      socket.close();
    }
  }
}

interface UserEngine {
  readonly userId: number;
  readonly user: User;
  readonly engine: Engine;
  readonly path: string;
}
