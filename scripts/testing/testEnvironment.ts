/**
 * What a test sees of the environment: what programs need to be found and to work, and what is said
 * to tests on purpose. All else stays outside: a `GATEHOUSE_DATA_DIR`, a `PORT` or an
 * `OPENAI_API_KEY` of whoever runs the tests would be taken for the test's own. A list of what is
 * kept out instead would miss the setting that comes next.
 */
const PROGRAMS = [
  'PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TERM', 'LANG', 'LANGUAGE', 'TZ', 'CI',
  'TMPDIR', 'TEMP', 'TMP', 'XDG_CACHE_HOME', 'NODE_COMPILE_CACHE', 'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE', 'SSL_CERT_DIR', 'JAVA_HOME', 'VIRTUAL_ENV', 'SystemRoot',
  'GOCACHE', 'GOFLAGS', 'GOMODCACHE', 'GOPATH', 'GOPROXY', 'GOROOT', 'GOSUMDB', 'GOTOOLCHAIN',
];
const PREFIXES = ['LC_', 'PIP_', 'PYENV_', 'npm_config_'];

/** For tests, with the file that reads each. */
const FOR_TESTS = [
  'CONTRACT_CLEAN_RUNS', 'CONTRACT_DEFECTS', // test/contract/kit
  'FETCH_READERS', // test/readers/readers.test.ts, test/mcp/python.test.ts
  'FUZZ_REQUESTS', 'FUZZ_SEED', // test/fuzz/requests.test.ts
  'PROVIDER_STREAMS', // test/models/recordings.ts
  'ROWS', // test/dashboard/runs.test.ts
  'SAME_CASES', 'SAME_SEED', // test/mcp/sameDecision.test.ts
  'SCREENSHOTS', // test/dashboard
  'SEED', // test/torture/shortTest.ts
  'TEST_LOG_LEVEL', 'TEST_PYTHON', // test/support/server.ts, test/clients
];

/** The environment of a test file: `given` less all that is not meant for it, and `added`. */
export function testEnvironment(
  given: NodeJS.ProcessEnv, added: Record<string, string>): Record<string, string> {
  const kept = Object.entries(given).filter((entry): entry is [string, string] => {
    const [name, value] = entry;
    return value !== undefined && (PROGRAMS.includes(name) || FOR_TESTS.includes(name)
      || PREFIXES.some((prefix) => name.startsWith(prefix)));
  });
  return { ...Object.fromEntries(kept), ...added };
}
