// Paths of the programs that only tests need; tools/test-tools.mjs finds and installs them.
import { existsSync, readFileSync } from 'node:fs';

const pathsFile = new URL('../../.cache/test-tools.json', import.meta.url);

export type TestTool =
  /** The folder of aiosmtpd, a mail server in Python. */
  | 'TEST_AIOSMTPD'
  /** The folder into which Debian's Alertmanager is unpacked. */
  | 'TEST_ALERTMANAGER'
  /** The program of test/interop/alloy. */
  | 'TEST_ALLOY_WRITE'
  /** The script of Azurite's blob service. */
  | 'TEST_AZURITE'
  | 'TEST_CARGO'
  | 'TEST_CHROMIUM'
  /** The folder of the Python packages for tests of CI checks. */
  | 'TEST_CI_TOOLS'
  | 'TEST_CLICKHOUSE'
  /** The folder into which Debian's containerd, runc, Docker, Podman and busybox are unpacked. */
  | 'TEST_CONTAINER_RUNTIMES'
  | 'TEST_CURL'
  | 'TEST_DEBUGINFOD'
  | 'TEST_FAKE_GCS'
  | 'TEST_GDB'
  | 'TEST_GO'
  | 'TEST_GO_1_15'
  | 'TEST_GO_1_17'
  | 'TEST_GO_1_19'
  | 'TEST_GRPCURL'
  | 'TEST_GRPC_HEALTH_PROBE'
  | 'TEST_HELM'
  /** The program of test/release/manifests. */
  | 'TEST_MANIFESTS'
  /** mcp-grafana, with which AI assistants query Grafana. */
  | 'TEST_MCP_GRAFANA'
  | 'TEST_MINIO'
  | 'TEST_MMDEBSTRAP'
  | 'TEST_NODE_20'
  /** Pyroscope's command line. */
  | 'TEST_PROFILECLI'
  | 'TEST_PROMTOOL'
  /** An emulator for arm64 programs. */
  | 'TEST_QEMU_ARM64'
  | 'TEST_RPM'
  /** The folder of moto, a Python module. */
  | 'TEST_MOTO'
  /** A recent Go, which can compile current modules. */
  | 'TEST_NEW_GO'
  | 'TEST_OPENSSL'
  /** The folder of Pyroscope's SDK for Node.js. */
  | 'TEST_PYROSCOPE_SDK'
  /** The folder of Pyroscope's SDK for Python. */
  | 'TEST_PYROSCOPE_PYTHON'
  | 'TEST_SYSTEM_PYTHON'
  | 'TEST_ZOOKEEPER'
  | 'TEST_JAVAC'
  /** Runtimes of other Java versions, and the jars of several async-profiler versions. */
  | 'TEST_JAVA_8'
  | 'TEST_JAVA_11'
  | 'TEST_JAVA_21'
  | 'TEST_JAVA_25'
  | 'TEST_ASYNC_PROFILER_2'
  | 'TEST_ASYNC_PROFILER_3'
  | 'TEST_ASYNC_PROFILER_4'
  /** The jar of async-profiler's converter. */
  | 'TEST_JFR_CONVERTER'
  /** The jar of Pyroscope's SDK for Java. */
  | 'TEST_PYROSCOPE_JAVA'
  /** A Python that has pyarrow, DuckDB and chdb. */
  | 'TEST_PYTHON';

/**
 * Returns the path of a tool from the environment, else from the last `npm test`; throws if it is
 * in neither.
 */
export function testTool(name: TestTool): string {
  const path = process.env[name] ?? knownPaths()[name];
  if (path === undefined)
    throw new Error(`cannot find ${name}: run npm run test:full once, it installs it`);
  return path;
}

function knownPaths(): Partial<Record<TestTool, string>> {
  return existsSync(pathsFile) ? JSON.parse(readFileSync(pathsFile, 'utf8')) : {};
}
