/**
 * Every metric of the service: its name, labels and meaning. A test keeps this table and that of
 * docs/monitoring.md equal. Labels have few values: never an id, never a name that a caller or a
 * model made up.
 */
import type { Meter } from '@opentelemetry/api';

const PREFIX = 'gatehouse_';

type Labels = Readonly<Record<string, string>>;

/**
 * `begins`: sets of labels that are 0 from the start. Prometheus sees no increase in the first
 * value of a line, and for some the first event is the one that matters.
 */
const counter = <const L extends readonly string[]>(
  labels: L, says: string, begins: readonly Labels[] = []) =>
  ({ kind: 'counter' as const, labels, says, begins });
const histogram = <const L extends readonly string[]>(
  buckets: readonly number[], labels: L, says: string) =>
  ({ kind: 'histogram' as const, labels, says, buckets });
/** Read on demand, with the labels that its reader gives. */
const gauge = (labels: readonly string[], says: string) =>
  ({ kind: 'gauge' as const, labels, says });

const SHORT_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const REQUEST_S = [...SHORT_S, 30, 60, 300];
const LONG_S = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900, 3_600];
const STALL_S = [1, 2.5, 5, 10, 30, 60, 120, 300, 900, 3_600];
const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024];

/** Metrics that are counted as things happen. */
export const METRICS = {
  runs_ended_total: counter(['status', 'code'],
    'Runs that ended by this process: completed, failed with their error code, or cancelled.'),
  run_attempts_total: counter(['kind'],
    'Runs that this process began to execute: for the first time, or again after another attempt.',
    [{ kind: 'first' }, { kind: 'again' }]),
  run_wait_seconds: histogram(LONG_S, [],
    'From the creation of a run until a worker began to execute it for the first time.'),
  run_duration_seconds: histogram(LONG_S, ['status'],
    'From the creation of a run to its end, completed or failed.'),
  model_step_duration_seconds: histogram(LONG_S, ['model', 'outcome'],
    'One request to a model, whole; outcome is ok, interrupted, or an error code.'),
  model_first_delta_seconds: histogram(LONG_S, ['model'],
    'From a request to a model to the first piece of its answer.'),
  model_tokens_total: counter(['model', 'direction'],
    'Tokens of completed requests: input or output.'),
  model_errors_total: counter(['model', 'code'], 'Requests to a model that failed.'),
  model_retries_total: counter(['model', 'code'],
    'Requests to a model that were made again, by what the one before had failed with.'),
  action_duration_seconds: histogram(REQUEST_S, ['integration', 'outcome'],
    'Calls of actions: ok, refused (something is missing), failed, unknown (may have happened).'),
  embedding_searches_total: counter(['outcome'],
    'Searches while EMBEDDING_MODEL is set: blended, or by words alone because its provider was'
    + ' late, has failed, or was not asked (resting), or there are no vectors yet (computing).'),
  embedding_request_duration_seconds: histogram(REQUEST_S, ['purpose', 'outcome'],
    'Requests to the provider of EMBEDDING_MODEL, for an action or a query: ok, or why it failed.'),
  embedding_tokens_total: counter(['purpose'], 'Tokens of those requests, as the provider counts.'),
  outcomes_unknown_total: counter(['integration'],
    'Calls that were to change something, and nobody knows whether they did.'),
  events_appended_total: counter([], 'Events written to the logs of runs.'),
  append_flush_events: histogram(SIZES, [], 'Events written together, of all runs of the process.'),
  append_flush_duration_seconds: histogram(SHORT_S, [], 'One such write, its commit included.'),
  events_sent_total: counter([], 'Events written to event streams.'),
  limits_reached_total: counter(['limit'],
    'Requests and calls that were refused because one of this process\'s limits was reached.'),
  http_request_duration_seconds: histogram(REQUEST_S, ['operation', 'status'],
    'Requests, by operationId; of an event stream the time to its beginning.'),
  event_loop_stall_seconds: histogram(STALL_S, [],
    'Times of a second and more for which nothing else could happen in the process.'),
} as const;

/** Metrics that are read on demand. */
export const GAUGES = {
  runs: gauge(['state'],
    'Open runs in the database, queued or running; counted up to 10,000. The same on every node.'),
  queue_age_seconds: gauge([],
    'How long the run has waited that waits longest for nothing but a worker; 0 if none does.'),
  runs_executing: gauge([], 'Runs that this process executes now.'),
  embedding_texts: gauge(['state'],
    'Actions that this process knows while EMBEDDING_MODEL is set: computed, pending, or refused by'
    + ' its provider.'),
  event_streams_open: gauge([], 'Event streams that are open on this process.'),
  database_connections_in_use: gauge([], 'Connections at work, of GATEHOUSE_DATABASE_CONNECTIONS.'),
  clock_offset_seconds: gauge([],
    'By how much its machine\'s clock is ahead of the database\'s, at least; negative: behind.'),
  database_waiting: gauge([], 'Statements and transactions that wait for a connection.'),
  process_resident_memory_bytes: gauge([], 'Memory of the process.'),
  process_event_loop_lag_p99_seconds: gauge([],
    'By how much timers are late, since it was last asked; from the second time on.'),
  process_cpu_seconds_total: gauge([], 'Processor time that the process has used.'),
  process_uptime_seconds: gauge([], 'Since the process started.'),
  build_info: gauge(['version', 'node'], 'Always 1.'),
} as const;

export type MetricName = keyof typeof METRICS;
export type GaugeName = keyof typeof GAUGES;

type LabelsOf<K extends MetricName> = (typeof METRICS)[K]['labels'] extends readonly []
  ? [] : [labels: Record<(typeof METRICS)[K]['labels'][number], string>];
type Instrument<K extends MetricName> = (typeof METRICS)[K]['kind'] extends 'counter'
  ? { add(value: number, ...labels: LabelsOf<K>): void }
  : { record(value: number, ...labels: LabelsOf<K>): void };

/** One instrument for each metric that is counted as it happens. */
export type Meters = { readonly [K in MetricName]: Instrument<K> };

/** The full name, in `/metrics` and by OTLP. */
export function fullName(name: MetricName | GaugeName): string {
  return PREFIX + name;
}

export function createMeters(meter: Meter): Meters {
  const meters = Object.entries(METRICS).map(([key, metric]) => {
    const name = fullName(key as MetricName);
    const options = { description: metric.says };
    if (metric.kind === 'histogram') {
      const advice = { explicitBucketBoundaries: [...metric.buckets] };
      return [key, meter.createHistogram(name, { ...options, advice })];
    }
    const made = meter.createCounter(name, options);
    for (const labels of metric.begins) made.add(0, labels);
    return [key, made];
  });
  return Object.fromEntries(meters) as Meters;
}

/** Counts nothing; for tests and benches of one part. */
export const NO_METERS = Object.fromEntries(Object.keys(METRICS).map((name) =>
  [name, { add() {}, record() {} }])) as unknown as Meters;

/** The value of a gauge: a number, or one for each set of labels; undefined if not known. */
export type GaugeValue = number | readonly [number, Record<string, string>][] | undefined;
export type ReadGauge = () => GaugeValue | Promise<GaugeValue>;
