// The flags of the agent: those that work, those that are accepted and ignored, and those refused.
import { flag, type FlagRow } from '../flag-table.ts';

/** Flags in the order of the help. docs/agent.md is checked against them. */
export const flagTable: readonly FlagRow[] = [
  flag('remote-store-address=HOST:PORT', '', 'Server that profiles are sent to.'),
  flag('remote-store-insecure', 'false', 'Send without TLS.'),
  flag('remote-store-insecure-skip-verify', 'false', 'Accept any certificate of the server.'),
  flag('remote-store-ca-cert=FILE', '', "Certificates that sign the server's; else the system's."),
  flag('remote-store-client-cert=FILE', '', 'Certificate of the agent, for mutual TLS.'),
  flag('remote-store-client-key=FILE', '', 'Its key.'),
  flag('remote-store-bearer-token=TOKEN', '', 'Token; also the variable PARCA_BEARER_TOKEN.'),
  flag('remote-store-bearer-token-file=FILE', '', 'File with the token, read before each call.'),
  flag('remote-store-grpc-headers=NAME=VALUE;...', '', 'Headers of each call.'),
  flag('remote-store-grpc-max-call-send-msg-size=BYTES', '33554432', 'Largest message sent.'),
  flag('remote-store-grpc-max-call-recv-msg-size=BYTES', '33554432', 'Largest message taken.'),
  flag('remote-store-rpc-unary-timeout=DURATION', '1m', 'Longest time of one attempt to send.'),
  flag('remote-store-use-v2-schema', 'true', 'Send by WriteArrow; false = by WriteRaw.'),
  flag(
    'queue-directory=FOLDER',
    '/var/lib/parca-agent/queue',
    'Where profiles wait while the server is away; empty = in memory.',
  ),
  flag('queue-size=SIZE', '512MiB', 'Most bytes that wait; past it the oldest go.'),
  flag('local-store-directory=FOLDER', '', 'Write profiles there instead of sending them.'),
  flag('node=NAME', '', "The label node; else the host's name."),
  flag('config-path=FILE', '', 'YAML file with flags and relabel_configs.'),
  flag('metadata-external-labels=NAME=VALUE;...', '', 'Labels for every series.'),
  flag('include-env-var=NAME,...', '', 'Variables that become __meta_env_var_<NAME>.'),
  flag('metadata-disable-cpu-label', 'false', 'Leave out the label cpu.'),
  flag('metadata-disable-thread-id-label', 'false', 'Leave out the label thread_id.'),
  flag('metadata-disable-thread-comm-label', 'false', 'Leave out the label thread_name.'),
  flag('profiling-duration=DURATION', '5s', 'Time between two batches, a fifth more or less.'),
  flag('profiling-cpu-sampling-frequency=HZ', '19', 'Samples a second on each CPU.'),
  flag('profiling-label-ttl=DURATION', '10m', 'Labels of a process are read again after this.'),
  flag('profiling-enable-error-frames', 'false', 'Mark stacks that end too early.'),
  flag('profiling-pids=PID,...', '', 'Sample only these processes.'),
  flag('symbolize-locally=MODE', 'auto', 'Name functions of files: true, false, or auto.'),
  flag('debuginfo-directories=FOLDER,...', '/usr/lib/debug', 'Folders with debug files.'),
  flag('debuginfo-upload-disable', 'false', 'Upload no debug information.'),
  flag('debuginfo-strip', 'true', 'Leave code and data out of what is uploaded.'),
  flag('debuginfo-upload-max-parallel=NUMBER', '4', 'Uploads at once.'),
  flag('debuginfo-upload-queue-size=NUMBER', '256', 'Files that wait, each held open.'),
  flag('debuginfo-upload-timeout-duration=DURATION', '2m', 'Longest time of one upload.'),
  flag('bpf-events-buffer-size=PAGES', '256', 'Pages of 4 KiB of the ring; a power of two.'),
  flag('bpf-map-scale-factor=NUMBER', '0', 'Doublings of the 64 MiB of memory for unwinding.'),
  flag('http-address=HOST:PORT', '127.0.0.1:7071', 'The status page and metrics.'),
  flag('web-config-file=FILE', '', 'TLS, passwords and tokens for the status page.'),
  flag('log-level=LEVEL', 'info', 'error, warn, info or debug.'),
  flag('log-format=FORMAT', 'logfmt', 'logfmt or json.'),
  flag('version', 'false', 'Print the version and exit.'),
  flag('help', 'false', 'Print this and exit.'),
];

/** Flags of Parca Agent that mean nothing here. They are accepted, so that its manifests work. */
export const ignoredFlags: readonly FlagRow[] = [
  ...withValue('memlock-rlimit', 'mutex-profile-fraction', 'block-profile-rate'),
  ...withValue('clock-sync-interval', 'tracers', 'environment-type', 'machine-id'),
  ...withValue('remote-store-batch-write-interval', 'remote-store-grpc-startup-backoff-time'),
  ...withValue('remote-store-grpc-connection-timeout', 'remote-store-grpc-max-connection-retries'),
  ...withValue('debuginfo-temp-dir'),
  ...withValue('debuginfo-upload-cache-duration'),
  ...withValue('bpf-verifier-log-level', 'telemetry-stderr-buffer-size-kb'),
  ...withValue('object-file-pool-eviction-policy', 'object-file-pool-size'),
  ...withValue('perf-event-buffer-poll-interval', 'perf-event-buffer-processing-interval'),
  ...withValue('perf-event-buffer-worker-count'),
  ...switches('remote-store-rpc-logging-enable'),
  ...switches('metadata-disable-caching', 'metadata-enable-process-cmdline'),
  ...switches('debuginfo-compress'),
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

function withValue(...names: readonly string[]): FlagRow[] {
  return names.map((name) => flag(`${name}=VALUE`, '', 'Accepted for Parca Agent.'));
}

function switches(...names: readonly string[]): FlagRow[] {
  return names.map((name) => flag(name, '', 'Accepted for Parca Agent.'));
}
