/** What is counted of one attempt, and how what may be endless is bounded. */
import t from 'tap';
import { RunTelemetry } from '../../src/telemetry/attempt.ts';
import { NO_METERS, type Meters } from '../../src/telemetry/metrics.ts';
import { cachedReading } from '../../src/telemetry/serviceGauges.ts';
import { NO_SPANS, type SpanOf, type StartSpan } from '../../src/telemetry/spans.ts';

const run = { id: 'run_1', session_id: 'ses_1', attempt: 1, model: 'openai/gpt-5' };

/** Meters that keep what they were given, as [metric, value, labels]. */
function keepingMeters() {
  const kept: [string, number, Record<string, string>][] = [];
  const meters = Object.fromEntries(Object.keys(NO_METERS).map((name) => {
    const keep = (value: number, labels = {}) => void kept.push([name, value, labels]);
    return [name, { add: keep, record: keep }];
  })) as unknown as Meters;
  const of = (name: keyof Meters) => kept.filter(([kind]) => kind === name)
    .map(([, , labels]) => labels);
  return { meters, of };
}

/** Spans that keep their names and how they ended. */
function keepingSpans() {
  const ends: string[] = [];
  const startSpan: StartSpan = (name): SpanOf => {
    let shown = name;
    return {
      rename: (other) => { shown = other; },
      end: (outcome) => void ends.push(`${shown}: ${outcome}`),
    };
  };
  return { ends, startSpan };
}

t.test('a failed request counts as a retry only if another follows', async (t) => {
  const { meters, of } = keepingMeters();
  const attempt = new RunTelemetry(meters, NO_SPANS, run.model).begin(run);
  attempt.beginStep().fail('model_error');
  t.strictSame(of('model_retries_total'), []);
  attempt.beginStep().complete({ input_tokens: 1, output_tokens: 2 });
  t.strictSame(of('model_retries_total'), [{ model: 'openai/gpt-5', code: 'model_error' }]);
  attempt.beginStep().fail('model_rate_limited');
  attempt.end('model_rate_limited');
  t.equal(of('model_retries_total').length, 1);
  t.strictSame(of('model_errors_total').map(({ code }) => code),
    ['model_error', 'model_rate_limited']);
});

t.test('only the first piece, and only the first end, count', async (t) => {
  const { meters, of } = keepingMeters();
  const { ends, startSpan } = keepingSpans();
  const attempt = new RunTelemetry(meters, startSpan, run.model).begin(run);
  const step = attempt.beginStep();
  step.delta();
  step.delta();
  t.equal(of('model_first_delta_seconds').length, 1);
  const endCall = attempt.beginCall('call_1', 'lab.test.read');
  const endOther = attempt.beginCall('call_2', 'lab.test.read');
  endOther('ok');
  attempt.end('interrupted');
  step.fail('model_error');
  endCall('ok');
  attempt.end('completed');
  t.strictSame(ends, ['execute_tool lab.test.read: ok', 'chat gpt-5: interrupted',
    'execute_tool lab.test.read: interrupted', 'invoke_agent: interrupted']);
  t.strictSame(of('model_step_duration_seconds'),
    [{ model: 'openai/gpt-5', outcome: 'interrupted' }]);
  t.strictSame(of('model_errors_total'), []);
});

t.test('names that anybody may give make no more than a hundred labels', async (t) => {
  const { meters, of } = keepingMeters();
  const telemetry = new RunTelemetry(meters, NO_SPANS, run.model);
  const step = (model: string) => telemetry.begin({ ...run, model }).beginStep();
  for (let i = 0; i < 300; i++) step(`compatible/made-up-${i}`).fail('model_error');
  t.strictSame(new Set(of('model_errors_total').map(({ model }) => model)), new Set(['other']),
    'none for what never answered');
  for (let i = 0; i < 300; i++) step(`compatible/${i % 150}`).delta();
  const labels = new Set(of('model_first_delta_seconds').map(({ model }) => model));
  t.equal(labels.size, 100);
  t.ok(labels.has('other') && labels.has('compatible/0'));
});

t.test('a reading is made once for all who ask, and nobody waits for it for long', async (t) => {
  let readings = 0;
  let answer = Promise.withResolvers<number>();
  const read = () => {
    readings += 1;
    return answer.promise;
  };
  const patient = cachedReading(read, { lifetime_ms: 60_000, limit_ms: 60_000 });
  const both = Promise.all([patient(), patient()]);
  answer.resolve(7);
  t.strictSame([await both, await patient(), readings], [[7, 7], 7, 1]);

  answer = Promise.withResolvers();
  const impatient = cachedReading(read, { lifetime_ms: 0, limit_ms: 1 });
  t.strictSame([await impatient(), await impatient()], [undefined, undefined]);
  t.equal(readings, 2, 'while one is under way there is no other');
  answer.reject(new Error('away'));
  t.equal(await impatient(), undefined);
  answer = Promise.withResolvers();
  answer.resolve(8);
  const again = cachedReading(read, { lifetime_ms: 0, limit_ms: 60_000 });
  t.strictSame([await again(), await again(), readings], [8, 8, 4]);
});
