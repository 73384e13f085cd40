// An attack: what it does to a server, and what that server must have for it.

/** A server as its attackers reach it. */
export interface Target {
  readonly host: string;
  readonly port: number;
  readonly url: string;
  /** Folder of files that the server reads: lists of targets. */
  readonly folder: string;
}

/** Goes on until the signal is aborted, or until the attack is over. */
export type Act = (signal: AbortSignal) => Promise<void>;

/** API that an attack speaks: any server's port, Parca's, our own, or that of a peer. */
export type Door = 'port' | 'parca' | 'own' | 'prometheus' | 'pyroscope';

export interface Attack {
  readonly name: string;
  readonly door: Door;
  /** Settings that the server is started with in addition. */
  readonly server?: ServerNeeds;
  /** Makes bodies and plants what the attack is about; the time of this does not count. */
  prepare(target: Target): Promise<Act>;
}

/** Settings of a server for one attack. */
export interface ServerNeeds {
  readonly flags?: readonly string[];
  /** Text of its configuration; `folder` is that of the target. */
  readonly config?: (folder: string) => string;
  /** True if it asks for passwords: `user` and `password`. */
  readonly hasPasswords?: boolean;
}

/** Credentials of the only user of a server with passwords. */
export const user = 'alice';
export const password = 'a long password that others lack';
