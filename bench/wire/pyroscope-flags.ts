// Flags for starting Pyroscope in a comparison.
import { join } from 'node:path';

/** Parts of Pyroscope that exchange their addresses. */
const rings = [
  'compactor.ring',
  'distributor.ring',
  'overrides-exporter.ring',
  'query-frontend',
  'query-scheduler.ring',
  'store-gateway.sharding-ring',
];

/**
 * Returns the flags for Pyroscope as a single process with its v2 storage in an empty folder.
 * It listens only on loopback, on ports for HTTP, gRPC, gossip and Raft.
 */
export function pyroscopeFlags(
  [port, grpcPort, gossipPort, raftPort]: readonly number[],
  folder: string,
): string[] {
  return [
    `-server.http-listen-port=${port}`,
    `-server.grpc-listen-port=${grpcPort}`,
    '-server.http-listen-address=127.0.0.1',
    '-server.grpc-listen-address=127.0.0.1',
    `-memberlist.bind-port=${gossipPort}`,
    '-memberlist.bind-addr=127.0.0.1',
    `-metastore.raft.bind-address=127.0.0.1:${raftPort}`,
    `-metastore.raft.advertise-address=127.0.0.1:${raftPort}`,
    `-metastore.raft.server-id=127.0.0.1:${raftPort}`,
    `-metastore.address=127.0.0.1:${grpcPort}`,
    `-query-backend.address=127.0.0.1:${grpcPort}`,
    '-memberlist.advertise-addr=127.0.0.1',
    '-segment-writer.lifecycler.addr=127.0.0.1',
    '-ingester.lifecycler.addr=127.0.0.1',
    ...rings.map((ring) => `-${ring}.instance-addr=127.0.0.1`),
    '-architecture.storage=v2',
    '-storage.backend=filesystem',
    `-storage.filesystem.dir=${join(folder, 'shared')}`,
    `-pyroscopedb.data-path=${join(folder, 'data')}`,
    `-metastore.data-dir=${join(folder, 'metastore')}`,
    `-metastore.raft.dir=${join(folder, 'raft')}`,
    '-self-profiling.disable-push=true',
    '-usage-stats.enabled=false',
  ];
}
