/** What the standard variables ask for: whether anything is sent, and where to. */
import { registerHooks } from 'node:module';
import t from 'tap';
import { readConfig, type Environment } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { destinationsOf } from '../../src/telemetry/otlp.ts';
import { createTelemetry } from '../../src/telemetry/telemetry.ts';

const NOWHERE = { traces: undefined, metrics: undefined };
const of = (environment: Environment) => destinationsOf(readConfig(environment));

t.test('nothing is sent unless it is asked for', async (t) => {
  t.strictSame(of({}), NOWHERE);
  t.strictSame(of({ OTEL_SERVICE_NAME: 'x', OTEL_METRICS_EXPORTER: 'prometheus' }), NOWHERE);
});

t.test('an endpoint is that of both; its own goes first', async (t) => {
  const both = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otel.example:4318/base/' };
  t.strictSame(of(both), {
    traces: 'https://otel.example:4318/base/v1/traces',
    metrics: 'https://otel.example:4318/base/v1/metrics',
  });
  t.strictSame(of({ ...both, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://other/x' }), {
    traces: 'http://other/x', metrics: 'https://otel.example:4318/base/v1/metrics' });
  t.strictSame(of({ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://other/x' }),
    { traces: undefined, metrics: 'http://other/x' });
  t.strictSame(of({ OTEL_TRACES_EXPORTER: 'otlp' }),
    { traces: 'http://localhost:4318/v1/traces', metrics: undefined });
  t.strictSame(of({ ...both, OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' }),
    NOWHERE);
  t.strictSame(of({ ...both, OTEL_METRICS_EXPORTER: 'prometheus' }).metrics, undefined);
});

t.test('OTEL_SDK_DISABLED switches all of it off, whatever else is said', async (t) => {
  t.strictSame(of({
    OTEL_SDK_DISABLED: 'TRUE', OTEL_TRACES_EXPORTER: 'otlp', OTEL_METRICS_EXPORTER: 'otlp',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
  }), NOWHERE);
});

t.test('what cannot be done is said at the start', async (t) => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel' };
  t.throws(() => of({ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }),
    { message: /OTEL_EXPORTER_OTLP_PROTOCOL is "grpc" for traces; only http\/protobuf/ });
  t.throws(() => of({ ...endpoint, OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: 'http/json' }),
    { message: /"http\/json" for metrics/ });
  t.strictSame(of({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }), NOWHERE, 'nobody is asked to send');
  t.throws(() => of({ OTEL_EXPORTER_OTLP_ENDPOINT: 'otel:4318' }), { message: /"otel:4318/ });
  t.throws(() => of({ OTEL_TRACES_EXPORTER: 'console' }),
    { message: /OTEL_TRACES_EXPORTER is "console"; it must be one of otlp, none/ });
  const config = readConfig({ ...endpoint, OTEL_TRACES_SAMPLER_ARG: '2' });
  t.throws(() => createTelemetry({ config, log: createLog('silent') }),
    { message: /OTEL_TRACES_SAMPLER_ARG is "2"; it must be a number from 0 to 1/ });
});

t.test('the port of the metrics is none, or a number', async (t) => {
  const port = (given: string) => readConfig({ GATEHOUSE_METRICS_PORT: given }).metrics_port;
  t.strictSame([port(''), port('0'), port('9464')], [null, 0, 9464]);
  t.throws(() => port('70000'), { message: /GATEHOUSE_METRICS_PORT is "70000"; .* 0 to 65535/ });
  t.throws(() => port('x'), { message: /GATEHOUSE_METRICS_PORT is "x"/ });
});

t.test('what sends is loaded only to send, and what prints only to print', async (t) => {
  const loaded: string[] = [];
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (specifier.startsWith('@opentelemetry/')
        && context.parentURL?.includes('/src/telemetry/')) loaded.push(specifier);
      return next(specifier, context);
    },
  });
  t.teardown(() => hooks.deregister());
  const open = (environment: Environment) =>
    createTelemetry({ config: readConfig(environment), log: createLog('silent') });
  const off = await open({});
  const start = ['@opentelemetry/resources', '@opentelemetry/sdk-metrics'];
  t.strictSame([...new Set(loaded)].sort(), start);
  await off.metricsText();
  t.strictSame([...new Set(loaded)].sort(), ['@opentelemetry/exporter-prometheus', ...start]);
  await off.stop();
  const on = await open({ OTEL_TRACES_EXPORTER: 'otlp' });
  t.ok(loaded.includes('@opentelemetry/exporter-trace-otlp-proto'));
  t.notOk(loaded.includes('@opentelemetry/exporter-metrics-otlp-proto'));
  await on.stop();
});
