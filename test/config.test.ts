import t from 'tap';
import { readConfig, SETTINGS, unknownVariables, variablesSet } from '../src/config.ts';
import { FIXED } from '../src/fixed.ts';

const MOST_OF_OUR_OWN = 36;

t.test('tokens of the configuration: as a header carries them', async (t) => {
  const token = 'x'.repeat(32);
  for (const variable of ['GATEHOUSE_ADMIN_TOKEN', 'GATEHOUSE_METRICS_TOKEN']) {
    const read = (given: string) => readConfig({ [variable]: given });
    for (const wrong of ['x'.repeat(31), 'x'.repeat(9_000), `${token} y`, `${token}ü`]) {
      t.throws(() => read(wrong), new RegExp(`${variable} must have 32 to \\d+ characters`));
    }
  }
  t.equal(readConfig({ GATEHOUSE_ADMIN_TOKEN: `${token}\n` }).admin_token, token);
  t.throws(() => readConfig({ GATEHOUSE_ADMIN_TOKEN: 'x'.repeat(513) }), /32 to 512 characters/);
  t.equal(readConfig({ GATEHOUSE_METRICS_TOKEN: ` ${token}` }).metrics_token, token);
});

t.test('numbers are digits, and one port serves one thing', async (t) => {
  for (const given of ['0x10', '1e3', '3000.5', '-1', '65536', '  ', '3000 1']) {
    t.throws(() => readConfig({ PORT: given }), /^PORT is .*; it must be a whole number from 0 to/);
  }
  t.equal(readConfig({ PORT: ' 3001\n' }).port, 3_001, 'one from a file ends in a newline');
  t.throws(() => readConfig({ GATEHOUSE_METRICS_PORT: '3000' }), /^GATEHOUSE_METRICS_PORT is PORT/);
  t.throws(() => readConfig({ GATEHOUSE_METRICS_PORT: '9' }, { port: 9 }), /is PORT, 9\. Leave it/);
  t.match(readConfig({ GATEHOUSE_METRICS_PORT: '0', PORT: '0' }), { port: 0, metrics_port: 0 });
});

t.test('few settings are our own', async (t) => {
  const ours = Object.values(SETTINGS).filter(({ variable }) => variable.startsWith('GATEHOUSE_'));
  t.ok(ours.length <= MOST_OF_OUR_OWN, `${ours.length} settings`);
});

t.test('what is fixed has no variable; whoever starts a service in code may differ', async (t) => {
  const variables = Object.fromEntries(
    Object.keys(FIXED).map((name) => [`GATEHOUSE_${name.toUpperCase()}`, '7']));
  t.match(readConfig(variables), FIXED);
  t.strictSame(unknownVariables(variables), Object.keys(variables).sort());
  t.match(readConfig({}, { claim_poll_ms: 5 }), { claim_poll_ms: 5, model_retries: 4 });
});

t.test('what follows from a setting', async (t) => {
  t.match(readConfig({}), {
    rate_per_workspace: 10_000, key_running_runs: 500, document_limit_bytes: 33_554_432,
    tool_result_limit_chars: 16_000,
  });
  t.match(readConfig({
    GATEHOUSE_RATE_PER_KEY: '0', GATEHOUSE_WORKSPACE_RUNNING_RUNS: '1',
    GATEHOUSE_BODY_LIMIT_BYTES: '2048', MODEL_CONTEXT_TOKENS: '8000',
  }), {
    rate_per_workspace: 0, key_running_runs: 1, document_limit_bytes: 65_536,
    tool_result_limit_chars: 1_000,
  });
  t.match(readConfig({ GATEHOUSE_BODY_LIMIT_BYTES: '104857600' }),
    { document_limit_bytes: 268_435_456 });
  t.match(readConfig({ MODEL_CONTEXT_TOKENS: '2000' }), { tool_result_limit_chars: 256 });
  t.match(readConfig({ MODEL_CONTEXT_TOKENS: '1000000' }), { tool_result_limit_chars: 16_000 },
    'a large context makes nothing dearer');
  for (const [timeout_ms, idle_ms] of [['60000', 330_000], ['600000', 630_000]] as const) {
    t.match(readConfig({ GATEHOUSE_ACTION_TIMEOUT_MS: timeout_ms }),
      { connection_idle_ms: idle_ms }, 'no call is cut off before its time is over');
  }
  t.match(readConfig({}, { rate_per_key: 5, key_running_runs: 9 }),
    { rate_per_workspace: 10, key_running_runs: 9 }, 'in code, too');
});

t.test('one variable for both signals, unless one has its own', async (t) => {
  const both = { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' };
  t.match(readConfig(both), { otel_traces_protocol: 'grpc', otel_metrics_protocol: 'grpc' });
  t.strictSame(variablesSet(both), ['OTEL_EXPORTER_OTLP_PROTOCOL']);
  t.match(readConfig({ ...both, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf' }),
    { otel_traces_protocol: 'http/protobuf', otel_metrics_protocol: 'grpc' });
});
