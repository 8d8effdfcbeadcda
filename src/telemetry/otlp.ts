/** Sends by OTLP. Its packages are loaded only if there is a destination. */
import type { PushMetricExporter } from '@opentelemetry/sdk-metrics';
import type { TracerProviderOptions } from '@opentelemetry/sdk-trace';
import type { Resource } from '@opentelemetry/resources';
import type { Config } from '../config.ts';
import { passAll } from '../faults.ts';
import type { Log } from '../log.ts';
import { spansOf, type StartSpan } from './spans.ts';

type Signal = 'traces' | 'metrics';

/** Where to send; undefined: nowhere. */
export type Destinations = Record<Signal, string | undefined>;

const DEFAULT_ENDPOINT = 'http://localhost:4318';
const WARN_EVERY_MS = 60_000;

/** Throws an Error that says all that must change if the configuration asks for the impossible. */
export function destinationsOf(config: Config): Destinations {
  passAll([() => destinationOf('traces', config) && ratioOf(config),
    () => destinationOf('metrics', config)]);
  return { traces: destinationOf('traces', config), metrics: destinationOf('metrics', config) };
}

function destinationOf(signal: Signal, config: Config): string | undefined {
  const own = config[`otel_${signal}_endpoint`];
  const shared = config.otel_endpoint;
  const exporter = config[`otel_${signal}_exporter`];
  const asked = exporter === null ? (own ?? shared) !== null : exporter === 'otlp';
  if (!asked || config.otel_sdk_disabled.toLowerCase() === 'true') return undefined;
  const protocol = config[`otel_${signal}_protocol`];
  if (protocol !== 'http/protobuf') {
    throw new Error(`OTEL_EXPORTER_OTLP_PROTOCOL is ${JSON.stringify(protocol)} for ${signal}; only`
      + ' http/protobuf can be sent. A collector takes that on port 4318.');
  }
  const address = own ?? `${(shared ?? DEFAULT_ENDPOINT).replace(/\/+$/, '')}/v1/${signal}`;
  if (!URL.canParse(address) || !/^https?:/i.test(address)) {
    throw new Error(`OTEL_EXPORTER_OTLP_ENDPOINT leads to ${JSON.stringify(address)}; it must be an`
      + ` address such as ${DEFAULT_ENDPOINT}.`);
  }
  return address;
}

/** The sender by its standard names, which OTEL_* variables change. */
export async function resourceOf({ version }: Config): Promise<Resource> {
  const {
    detectResources, resourceAttributesEnvDetector, resourceFromAttributes,
    serviceInstanceIdDetector, serviceNameEnvDetector,
  } = await import('@opentelemetry/resources');
  return resourceFromAttributes({ 'service.name': 'gatehouse', 'service.version': version })
    .merge(detectResources({ detectors: [
      serviceInstanceIdDetector, resourceAttributesEnvDetector, serviceNameEnvDetector,
    ] }));
}

/** Makes spans that are sent to `url`; `stop` sends those that are left. */
export async function openTraces(
  url: string, resource: Resource, { config, log }: { config: Config; log: Log },
): Promise<{ startSpan: StartSpan; stop(): Promise<void> }> {
  const [sdk, { OTLPTraceExporter }] = await Promise.all(
    [import('@opentelemetry/sdk-trace'), import('@opentelemetry/exporter-trace-otlp-proto')]);
  const exporter = saying(new OTLPTraceExporter({ url }), 'traces', log);
  const processor = new sdk.BatchSpanProcessor(
    { exporter, scheduledDelayMillis: config.otel_span_delay_ms });
  const provider = new sdk.TracerProvider(
    { resource, spanProcessors: [processor], sampler: samplerOf(config, sdk) });
  const tracer = provider.getTracer('gatehouse', config.version);
  return { startSpan: await spansOf(tracer), stop: () => provider.shutdown() };
}

function samplerOf(
  config: Config, sdk: typeof import('@opentelemetry/sdk-trace'),
): TracerProviderOptions['sampler'] {
  const ratio = ratioOf(config);
  const kind = config.otel_traces_sampler.replace('parentbased_', '');
  const root = kind === 'always_off' ? new sdk.AlwaysOffSampler()
    : kind === 'traceidratio' ? new sdk.TraceIdRatioBasedSampler(ratio)
      : new sdk.AlwaysOnSampler();
  // A run is traced whole or not at all.
  return new sdk.ParentBasedSampler({ root });
}

function ratioOf({ otel_traces_sampler_arg }: Config): number {
  const ratio = Number(otel_traces_sampler_arg);
  if (ratio >= 0 && ratio <= 1) return ratio;
  throw new Error(`OTEL_TRACES_SAMPLER_ARG is ${JSON.stringify(otel_traces_sampler_arg)}; it must`
    + ' be a number from 0 to 1.');
}

export async function metricExporter(url: string, log: Log): Promise<PushMetricExporter> {
  const { OTLPMetricExporter } = await import('@opentelemetry/exporter-metrics-otlp-proto');
  return saying(new OTLPMetricExporter({ url }), 'metrics', log);
}

interface Exporter<T> {
  export(items: T, done: (result: { code: number; error?: Error }) => void): void;
}

/**
 * Writes to our log when the exporter cannot send. The SDK would use a logger of its own, of which
 * a process has only one.
 */
function saying<T, E extends Exporter<T>>(exporter: E & Exporter<T>, signal: Signal, log: Log): E {
  let said_ms = -Infinity;
  const send = exporter.export.bind(exporter) as Exporter<T>['export'];
  exporter.export = (items: T, done: Parameters<Exporter<T>['export']>[1]) =>
    send(items, (result) => {
      if (result.error && performance.now() - said_ms >= WARN_EVERY_MS) {
        said_ms = performance.now();
        log.warn({ err: result.error, signal }, 'telemetry could not be sent');
      }
      done(result);
    });
  return exporter;
}
