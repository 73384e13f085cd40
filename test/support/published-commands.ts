// Published command lines that start Parca or Parca Agent, from their charts, manifests, packages
// and pages. They must start our programs unchanged.

export interface PublishedCommand {
  /**
   * Repository and file that the command line is from, and the values with which it is rendered.
   */
  readonly source: string;
  readonly program: 'parca' | 'parca-agent';
  /** True if the command runs in an image; the image's own flags come first. */
  readonly isImage: boolean;
  /** Arguments as the program receives them. */
  readonly args: readonly string[];
  /** Files that the arguments name, by path. */
  readonly files?: Readonly<Record<string, string>>;
}

/** The server's config in the Helm chart, without additions from other values. */
const chartScrapes = `scrape_configs:
- job_name: kubernetes-pods
  kubernetes_sd_configs:
  - role: pod
  relabel_configs:
  - action: keep
    regex: true
    source_labels:
    - __meta_kubernetes_pod_annotation_parca_dev_scrape
  - action: replace
    regex: (.+)
    source_labels:
    - __meta_kubernetes_pod_annotation_parca_dev_path
    target_label: __metrics_path__
  - action: replace
    regex: ([^:]+)(?::\\d+)?;(\\d+)
    replacement: $1:$2
    source_labels:
    - __address__
    - __meta_kubernetes_pod_annotation_parca_dev_port
    target_label: __address__
  - action: labelmap
    regex: __meta_kubernetes_pod_label_(.+)
  - action: replace
    source_labels:
    - __meta_kubernetes_namespace
    target_label: kubernetes_namespace
  scrape_interval: 1m
`;
const inDirectory = (directory: string): string =>
  `object_storage:\n  bucket:\n    config:\n      directory: ${directory}\n    type: FILESYSTEM\n`;

/** Rules in the agent's manifests. */
const agentRules = `"relabel_configs":
- "source_labels": ["__meta_process_executable_compiler"]
  "target_label": "compiler"
- "source_labels": ["__meta_system_kernel_machine"]
  "target_label": "arch"
- "source_labels": ["__meta_kubernetes_namespace"]
  "target_label": "namespace"
- "source_labels": ["__meta_kubernetes_pod_container_image"]
  "target_label": "container_image"
- "action": "labelmap"
  "regex": "__meta_kubernetes_pod_label_(.+)"
  "replacement": "\${1}"
- "action": "labeldrop"
  "regex": "apps_kubernetes_io_pod_index|controller_revision_hash|pod_template_hash"
`;

export const publishedCommands: readonly PublishedCommand[] = [
  {
    source: 'parca-dev/helm-charts charts/parca/templates/server-deployment.yaml, default values',
    program: 'parca',
    isImage: true,
    args: [
      '/parca',
      '--config-path=/var/parca/parca.yaml',
      '--log-level=info',
      '--cors-allowed-origins=*',
      '--storage-active-memory=536870912',
    ],
    files: { '/var/parca/parca.yaml': inDirectory('./tmp') + chartScrapes },
  },
  {
    source: 'the same, with a bucket and server.extraArgs of its README',
    program: 'parca',
    isImage: true,
    args: [
      '/parca',
      '--config-path=/var/parca/parca.yaml',
      '--log-level=debug',
      '--cors-allowed-origins=*',
      '--storage-active-memory=1073741824',
      '--enable-persistence',
      '--debuginfo-uploads-signed-url',
    ],
    files: {
      '/var/parca/parca.yaml': `object_storage:
  bucket:
    config:
      access_key: a
      bucket: parca
      endpoint: 127.0.0.1:9
      insecure: true
      secret_key: s
    type: S3
${chartScrapes}`,
    },
  },
  {
    source: 'parca-dev/parca snap/parca-wrapper, default values',
    program: 'parca',
    isImage: false,
    args: [
      '--config-path=/var/snap/parca/current/parca.yaml',
      '--log-level=info',
      '--http-address=:7070',
      '--enable-persistence=false',
      '--storage-active-memory=536870912',
    ],
    files: {
      '/var/snap/parca/current/parca.yaml': `${inDirectory('/var/snap/parca/current/profiles')}
scrape_configs:
  - job_name: "default"
    scrape_interval: "3s"
    static_configs:
      - targets: ["127.0.0.1:7070"]
`,
    },
  },
  {
    source: 'the same, with enable-persistence=true',
    program: 'parca',
    isImage: false,
    args: [
      '--config-path=/var/snap/parca/current/parca.yaml',
      '--log-level=info',
      '--http-address=:7070',
      '--path-prefix=/parca',
      '--debuginfod-upstream-servers=debuginfod.elfutils.org',
      '--enable-persistence=true',
      '--storage-path=/var/snap/parca/common/profiles',
    ],
    files: { '/var/snap/parca/current/parca.yaml': inDirectory('./bucket') },
  },
  {
    source: 'the same, with remote-store-bearer-token',
    program: 'parca',
    isImage: false,
    args: [
      '--config-path=/var/snap/parca/current/parca.yaml',
      '--log-level=info',
      '--http-address=:7070',
      '--store-address=grpc.polarsignals.com:443',
      '--bearer-token=token',
      '--insecure=false',
      '--mode=scraper-only',
    ],
    files: { '/var/snap/parca/current/parca.yaml': inDirectory('./bucket') },
  },
  {
    source: 'parca-dev/parca deploy/main.jsonnet and deploy/openshift.jsonnet',
    program: 'parca',
    isImage: true,
    args: [
      '/parca',
      '--http-address=:7070',
      '--config-path=/etc/parca/parca.yaml',
      '--log-level=info',
      '--cors-allowed-origins=*',
      '--debuginfod-upstream-servers=debuginfod.systemtap.org',
      '--debuginfod-http-request-timeout=5m',
    ],
    files: { '/etc/parca/parca.yaml': inDirectory('/var/lib/parca') },
  },
  {
    source: 'parca-dev/docs docs/quickstart.mdx, container',
    program: 'parca',
    isImage: true,
    args: ['/parca'],
    files: { '/etc/parca/parca.yaml': inDirectory('./data') },
  },
  {
    source: 'parca-dev/docs docs/quickstart.mdx and docs/systemd.mdx',
    program: 'parca',
    isImage: false,
    args: ['--config-path=/etc/parca/parca.yaml'],
    files: {
      '/etc/parca/parca.yaml': `${inDirectory('./data')}scrape_configs:
  - job_name: "parca"
    scrape_interval: "1s"
    static_configs:
      - targets: ["127.0.0.1:7070"]
`,
    },
  },
  {
    source: 'parca-dev/parca README.md, every flag that it lists with its default value',
    program: 'parca',
    isImage: false,
    args: [
      '--config-path=/etc/parca/parca.yaml',
      '--mode=all',
      '--http-address=:7070',
      '--http-read-timeout=5s',
      '--http-write-timeout=1m',
      '--port=',
      '--log-level=info',
      '--log-format=logfmt',
      '--otlp-exporter=grpc',
      '--otlp-insecure=true',
      '--otlp-address=',
      '--path-prefix=',
      '--mutex-profile-fraction=0',
      '--block-profile-rate=0',
      '--enable-persistence=false',
      '--storage-active-memory=536870912',
      '--storage-path=data',
      '--storage-enable-wal=false',
      '--storage-snapshot-trigger-size=134217728',
      '--storage-row-group-size=8192',
      '--storage-index-on-disk=false',
      '--symbolizer-demangle-mode=simple',
      '--symbolizer-external-addr-2-line-path=',
      '--symbolizer-number-of-tries=3',
      '--debuginfo-cache-dir=/tmp',
      '--debuginfo-upload-max-size=1000000000',
      '--debuginfo-upload-max-duration=15m',
      '--debuginfo-uploads-signed-url=false',
      '--debuginfod-upstream-servers=debuginfod.elfutils.org',
      '--debuginfod-http-request-timeout=5m',
      '--profile-share-server=api.pprof.me:443',
      '--store-address=',
      '--bearer-token-file=',
      '--insecure=false',
      '--insecure-skip-verify=false',
    ],
    files: { '/etc/parca/parca.yaml': inDirectory('./data') },
  },
  {
    source: 'parca-dev/helm-charts charts/parca/templates/agent-daemonset.yaml, default values',
    program: 'parca-agent',
    isImage: true,
    args: [
      '/bin/parca-agent',
      '--log-level=info',
      '--node=node-1',
      '--http-address=127.0.0.1:7071',
      '--config-path=/var/parca/parca-agent.yaml',
      '--remote-store-address=parca-server.parca.svc.cluster.local:7070',
      '--remote-store-insecure',
      '--remote-store-insecure-skip-verify',
    ],
    files: { '/var/parca/parca-agent.yaml': 'relabel_configs: null\n' },
  },
  {
    source: 'the same, with ci/k3s-values.yaml and agent.remoteStoreBearerToken',
    program: 'parca-agent',
    isImage: true,
    args: [
      '/bin/parca-agent',
      '--log-level=info',
      '--node=node-1',
      '--http-address=127.0.0.1:7071',
      '--config-path=/var/parca/parca-agent.yaml',
      '--remote-store-address=parca-server.parca.svc.cluster.local:7070',
      '--remote-store-insecure',
      '--remote-store-insecure-skip-verify',
      '--remote-store-bearer-token-file=/var/parca-agent-remote-store-bearer-token/token',
      '--allow-running-in-non-root-pid-namespace',
    ],
    files: {
      '/var/parca/parca-agent.yaml': 'relabel_configs: null\n',
      '/var/parca-agent-remote-store-bearer-token/token': 'token',
    },
  },
  {
    source: 'parca-dev/parca-agent snap/local/parca-agent-wrapper, default values',
    program: 'parca-agent',
    isImage: false,
    args: [
      '--node=host',
      '--log-level=info',
      '--http-address=:7071',
      '--remote-store-address=grpc.polarsignals.com:443',
      '--remote-store-insecure=false',
      '--metadata-external-labels=',
      '--config-path=',
      '--off-cpu-threshold=0',
    ],
  },
  {
    source: 'the same, with headers and labels',
    program: 'parca-agent',
    isImage: false,
    args: [
      '--node=host',
      '--log-level=debug',
      '--http-address=:7071',
      '--remote-store-address=parca.example.org:7070',
      '--remote-store-insecure=true',
      '--metadata-external-labels=region=eu;zone=a',
      '--config-path=',
      '--off-cpu-threshold=0',
      '--remote-store-bearer-token=token',
      '--remote-store-grpc-headers=X-Custom-Header=value1',
      '--remote-store-grpc-headers=X-Another=value2',
    ],
  },
  {
    source: 'parca-dev/parca-agent deploy/main.jsonnet and deploy/openshift.jsonnet',
    program: 'parca-agent',
    isImage: true,
    args: [
      '--http-address=:7071',
      '--node=node-1',
      '--config-path=/etc/parca-agent/parca-agent.yaml',
      '--remote-store-address=parca.parca.svc.cluster.local:7070',
      '--remote-store-insecure',
      '--remote-store-insecure-skip-verify',
    ],
    files: { '/etc/parca-agent/parca-agent.yaml': agentRules },
  },
  {
    source: 'parca-dev/docs docs/exposing-parca-write.md',
    program: 'parca-agent',
    isImage: true,
    args: [
      '/bin/parca-agent',
      '--http-address=:7071',
      '--log-level=info',
      '--node=node-1',
      '--remote-store-address=parca.example.com:443',
      '--remote-store-bearer-token=token',
      '--debuginfo-strip',
      '--debuginfo-temp-dir=/tmp',
      '--debuginfo-upload-cache-duration=5m',
    ],
  },
  {
    source: 'parca-dev/docs docs/systemd.mdx, quickstart.mdx, agent-binary.mdx',
    program: 'parca-agent',
    isImage: false,
    args: [
      '--http-address=:7071',
      '--node=systemd-test',
      '--remote-store-address=localhost:7070',
      '--remote-store-insecure',
    ],
  },
];
