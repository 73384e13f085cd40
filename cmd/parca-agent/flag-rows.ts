// The flags of the agent: those with a meaning, those accepted without, and those refused.
import type { FlagRow } from '../flag-table.ts';

/** Flags in the order of the help. docs/agent.md is checked against them. */
export const flagTable: readonly FlagRow[] = [
  row('remote-store-address', 'HOST:PORT', '', 'Server that profiles are sent to.'),
  row('remote-store-insecure', '', 'false', 'Send without TLS.'),
  row('remote-store-insecure-skip-verify', '', 'false', 'Accept any certificate of the server.'),
  row(
    'remote-store-ca-cert',
    'FILE',
    '',
    "Certificates that sign the server's; else the system's.",
  ),
  row('remote-store-client-cert', 'FILE', '', 'Certificate of the agent, for mutual TLS.'),
  row('remote-store-client-key', 'FILE', '', 'Its key.'),
  row('remote-store-bearer-token', 'TOKEN', '', 'Token; also the variable PARCA_BEARER_TOKEN.'),
  row('remote-store-bearer-token-file', 'FILE', '', 'File with the token, read before each call.'),
  row('remote-store-grpc-headers', 'NAME=VALUE;...', '', 'Headers of each call.'),
  row('remote-store-grpc-max-call-send-msg-size', 'BYTES', '33554432', 'Largest message sent.'),
  row('remote-store-grpc-max-call-recv-msg-size', 'BYTES', '33554432', 'Largest message taken.'),
  row('remote-store-rpc-unary-timeout', 'DURATION', '1m', 'Longest time of one attempt to send.'),
  row(
    'queue-directory',
    'FOLDER',
    '/var/lib/parca-agent/queue',
    'Where profiles wait while the server is away; empty = in memory.',
  ),
  row('queue-size', 'SIZE', '512MiB', 'Most bytes that wait; past it the oldest go.'),
  row('local-store-directory', 'FOLDER', '', 'Write profiles there instead of sending them.'),
  row('node', 'NAME', '', "The label node; else the host's name."),
  row('config-path', 'FILE', '', 'YAML file with flags and relabel_configs.'),
  row('metadata-external-labels', 'NAME=VALUE;...', '', 'Labels for every series.'),
  row('include-env-var', 'NAME,...', '', 'Variables that become __meta_env_var_<NAME>.'),
  row('metadata-disable-cpu-label', '', 'false', 'Leave out the label cpu.'),
  row('metadata-disable-thread-id-label', '', 'false', 'Leave out the label thread_id.'),
  row('metadata-disable-thread-comm-label', '', 'false', 'Leave out the label thread_name.'),
  row('profiling-duration', 'DURATION', '5s', 'Time between two batches, a fifth more or less.'),
  row('profiling-cpu-sampling-frequency', 'HZ', '19', 'Samples a second on each CPU.'),
  row('profiling-label-ttl', 'DURATION', '10m', 'Labels of a process are read again after this.'),
  row('profiling-enable-error-frames', '', 'false', 'Mark stacks that end too early.'),
  row('profiling-pids', 'PID,...', '', 'Sample these processes alone.'),
  row('symbolize-locally', 'MODE', 'auto', 'Name functions of files: true, false, or auto.'),
  row('debuginfo-directories', 'FOLDER,...', '/usr/lib/debug', 'Folders with debug files.'),
  row('bpf-events-buffer-size', 'PAGES', '1024', 'Pages of 4 KiB of the ring; a power of two.'),
  row('bpf-map-scale-factor', 'NUMBER', '0', 'Doublings of the 32 MiB of memory for unwinding.'),
  row('http-address', 'HOST:PORT', '127.0.0.1:7071', 'The status page and metrics.'),
  row('log-level', 'LEVEL', 'info', 'error, warn, info or debug.'),
  row('log-format', 'FORMAT', 'logfmt', 'logfmt or json.'),
  row('version', '', 'false', 'Print the version and exit.'),
  row('help', '', 'false', 'Print this and exit.'),
];

/** Flags of Parca Agent that mean nothing here: accepted, so that its manifests start. */
export const ignoredFlags: readonly FlagRow[] = [
  ...withValue('memlock-rlimit', 'mutex-profile-fraction', 'block-profile-rate'),
  ...withValue('clock-sync-interval', 'tracers', 'environment-type', 'machine-id'),
  ...withValue('remote-store-batch-write-interval', 'remote-store-grpc-startup-backoff-time'),
  ...withValue('remote-store-grpc-connection-timeout', 'remote-store-grpc-max-connection-retries'),
  ...withValue(
    'debuginfo-temp-dir',
    'debuginfo-upload-max-parallel',
    'debuginfo-upload-queue-size',
  ),
  ...withValue('debuginfo-upload-timeout-duration', 'debuginfo-upload-cache-duration'),
  ...withValue('bpf-verifier-log-level', 'telemetry-stderr-buffer-size-kb'),
  ...withValue('object-file-pool-eviction-policy', 'object-file-pool-size'),
  ...withValue('perf-event-buffer-poll-interval', 'perf-event-buffer-processing-interval'),
  ...withValue('perf-event-buffer-worker-count'),
  ...switches('remote-store-rpc-logging-enable', 'remote-store-use-v2-schema'),
  ...switches('metadata-disable-caching', 'metadata-enable-process-cmdline'),
  ...switches('debuginfo-strip', 'debuginfo-compress', 'debuginfo-upload-disable'),
  ...switches('debuginfo-disable-caching', 'bpf-verbose-logging', 'bpf-log-trace-pipe'),
  ...switches('dwarf-unwinding-disable', 'dwarf-unwinding-mixed', 'python-unwinding-disable'),
  ...switches('ruby-unwinding-disable', 'java-unwinding-disable', 'symbolizer-jit-disable'),
  ...switches('analytics-opt-out', 'telemetry-disable-panic-reporting'),
  ...switches('allow-running-as-non-root', 'allow-running-in-non-root-pid-namespace'),
  ...switches('ignore-unsafe-kernel-version', 'instrument-cuda-launch'),
];

/** Flags of Parca Agent whose features do not exist here. */
export const notYetFlags: ReadonlySet<string> = new Set([
  ...['off-cpu-threshold', 'profiling-probabilistic-interval', 'profiling-probabilistic-threshold'],
  ...['metadata-container-runtime-socket-path', 'otel-tags', 'otlp-address', 'otlp-exporter'],
  ...['otlp-logging', 'offline-mode-storage-path', 'offline-mode-rotation-interval'],
  ...['offline-mode-upload', 'enable-oom-prof', 'enable-oom-prof-allocs', 'merge-gpu-profiles'],
  ...['bpf-cupti-event-scale-factor', 'probe-config-file', 'force-panic'],
]);

function row(name: string, placeholder: string, initial: string, help: string): FlagRow {
  return { name, placeholder, initial, help };
}

function withValue(...names: readonly string[]): FlagRow[] {
  return names.map((name) => row(name, 'VALUE', '', 'Accepted for Parca Agent.'));
}

function switches(...names: readonly string[]): FlagRow[] {
  return names.map((name) => row(name, '', '', 'Accepted for Parca Agent.'));
}
