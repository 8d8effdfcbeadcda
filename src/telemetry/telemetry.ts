/**
 * Metrics and traces of one service. Nothing here is global, so that several services in one
 * process do not mix their counts. Only this room knows OpenTelemetry.
 */
import type { Meter } from '@opentelemetry/api';
import type { AggregationTemporalitySelector, MetricReader } from '@opentelemetry/sdk-metrics';
import type { Config } from '../config.ts';
import { within } from '../deadline.ts';
import type { Log } from '../log.ts';
import { RunTelemetry } from './attempt.ts';
import { watchEventLoop, type EventLoopWatch } from './eventLoop.ts';
import {
  createMeters, fullName, GAUGES, NO_METERS, type GaugeName, type Meters, type ReadGauge,
} from './metrics.ts';
import {
  destinationsOf, metricExporter, openTraces, resourceOf, type Destinations,
} from './otlp.ts';
import { processGauges } from './processGauges.ts';
import { NO_SPANS } from './spans.ts';

export interface Telemetry {
  readonly meters: Meters;
  readonly runs: RunTelemetry;
  readonly stalls: EventLoopWatch['stalls'];
  /** Sets how gauges are read. A reading that fails is left out. */
  observe(gauges: Partial<Record<GaugeName, ReadGauge>>): void;
  /** All metrics in the text format of Prometheus. */
  metricsText(): Promise<string>;
  /** Sends the rest, within a short time. */
  stop(): Promise<void>;
}

/** Counts and traces nothing. */
export const NO_RUN_TELEMETRY = new RunTelemetry(NO_METERS, NO_SPANS, 'rehearsal');

/** The most sets of labels of a metric; further ones are counted together. */
const LABEL_SETS = 1_000;
const STOP_MS = 1_500;

interface TelemetryOptions {
  config: Config;
  log: Log;
  /** See WatchOptions. */
  says_hang?: boolean | undefined;
}

/** Loads what a telemetry is made of: while there is time, it need not be waited for later. */
export function loadTelemetry() {
  return import('@opentelemetry/sdk-metrics');
}

/**
 * Throws at once, with an Error that says what to change, if it cannot send as configured. Loading
 * takes a while: wait for something else meanwhile.
 */
export function createTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  return openTelemetry(options, destinationsOf(options.config));
}

async function openTelemetry(options: TelemetryOptions, to: Destinations): Promise<Telemetry> {
  const { config, log } = options;
  const sdk = await loadTelemetry();
  const reader = new (pulled(sdk))({
    cardinalitySelector: () => LABEL_SETS, aggregationTemporalitySelector: asOfNow(sdk) });
  const readers: MetricReader[] = [reader];
  const resource = await resourceOf(config);
  if (to.metrics !== undefined) {
    const { otel_metric_interval_ms: exportIntervalMillis } = config;
    const exporter = await metricExporter(to.metrics, log);
    exporter.selectAggregationTemporality =
      asOfNow(sdk, exporter.selectAggregationTemporality?.bind(exporter));
    readers.push(new sdk.PeriodicExportingMetricReader({
      exporter, exportIntervalMillis,
      cardinalityLimits: { default: LABEL_SETS },
    }));
  }
  const provider = new sdk.MeterProvider({ resource, readers });
  const meter = provider.getMeter('gatehouse', config.version);
  const meters = createMeters(meter);
  const traces = to.traces === undefined ? undefined
    : await openTraces(to.traces, resource, options);
  const ofProcess = processGauges(config.version);
  const eventLoop = watchEventLoop({ log, meters, says_hang: options.says_hang });
  const observe: Telemetry['observe'] = (gauges) => {
    for (const [name, read] of Object.entries(gauges)) observeOne(meter, name as GaugeName, read);
  };
  observe(ofProcess.gauges);
  return {
    meters, observe,
    stalls: eventLoop.stalls,
    runs: new RunTelemetry(meters, traces?.startSpan ?? NO_SPANS, config.model),
    metricsText: () => prometheusText(reader),
    async stop() {
      ofProcess.stop();
      await eventLoop.stop();
      // A receiver that is away must not keep the service from ending.
      await within(STOP_MS, Promise.allSettled([traces?.stop(), provider.shutdown()]), () =>
        log.warn('telemetry could not be sent in time, as the service stopped'));
    },
  };
}

/** A reader that collects on demand and does nothing by itself. */
function pulled({ MetricReader }: typeof import('@opentelemetry/sdk-metrics')) {
  return class extends MetricReader {
    protected override async onForceFlush(): Promise<void> {}
    protected override async onShutdown(): Promise<void> {}
  };
}

/**
 * Leaves a gauge out that could not be read. The package adds up over time, where it is not told
 * otherwise, and so goes on telling what was read last: an empty queue while the database is away.
 * Of two readers, the one that looks second is told it once more.
 */
function asOfNow(
  { AggregationTemporality, InstrumentType }: typeof import('@opentelemetry/sdk-metrics'),
  select: AggregationTemporalitySelector = () => AggregationTemporality.CUMULATIVE,
): AggregationTemporalitySelector {
  return (type) => (type === InstrumentType.OBSERVABLE_GAUGE
    ? AggregationTemporality.DELTA : select(type));
}

async function prometheusText(reader: MetricReader): Promise<string> {
  // Loaded at the first use: it takes as long as all the rest of this room.
  const { PrometheusSerializer } = await import('@opentelemetry/exporter-prometheus');
  const { resourceMetrics } = await reader.collect();
  return new PrometheusSerializer(undefined, false, undefined, true, true)
    .serialize(resourceMetrics);
}

function observeOne(meter: Meter, name: GaugeName, read: ReadGauge): void {
  const options = { description: GAUGES[name].says };
  const instrument = name.endsWith('_total')
    ? meter.createObservableCounter(fullName(name), options)
    : meter.createObservableGauge(fullName(name), options);
  instrument.addCallback(async (result) => {
    const reading = await read();
    if (typeof reading === 'number') result.observe(reading);
    else for (const [value, labels] of reading ?? []) result.observe(value, labels);
  });
}
