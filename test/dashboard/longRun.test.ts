/** A run of ten thousand events: opened, and scrolled through, beside one of a hundred. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { newId } from '../../src/ids.ts';
import { prompt } from '../support/client.ts';
import { completeRun, newSession, OFFLINE, queueRun } from '../support/runs.ts';
import {
  addressOf, dashboardFor, leavePage, openPage, PICTURE_MS, tableRows, untilTrue,
} from './support.ts';

const { skip, dashboard } = await dashboardFor(t);

const EVENTS_OF_STEP = 14;
const eventsOf = (steps: number) => 3 + steps * EVENTS_OF_STEP;
const [FEW_STEPS, MANY_STEPS] = [7, 714];
const [FEW, MANY] = [eventsOf(FEW_STEPS), eventsOf(MANY_STEPS)];
interface LongRun { id: string; events: number }
const runs: LongRun[] = [];
if (dashboard) {
  for (const steps of [FEW_STEPS, MANY_STEPS]) {
    runs.push({ id: await storeRun(steps), events: eventsOf(steps) });
  }
}
const VIEWS = ['conversation', 'timeline', 'events'] as const;

/** From the press that opens the run to the picture of its last event, in ms. */
async function openMs(page: Page, { id, events }: LongRun, view: string): Promise<number> {
  await page.goto(addressOf(dashboard, 'runs'));
  await page.getByRole('grid').waitFor();
  return await page.evaluate<number>(`new Promise((resolve) => {
    const begun = performance.now();
    history.pushState(null, '', '${addressOf(dashboard, `runs/${id}?view=${view}`)}');
    dispatchEvent(new PopStateEvent('popstate'));
    const look = () => (document.body.textContent.includes('(${events.toLocaleString('en')})')
      ? resolve(performance.now() - begun) : requestAnimationFrame(look));
    look();
  })`);
}

/** How long the page takes to read the events by the stream, and does nothing with them. */
async function readMs(page: Page, { id }: LongRun): Promise<number> {
  return await page.evaluate<number>(`(async () => {
    const begun = performance.now();
    const answer = await fetch('/v1/runs/${id}/events', { headers: {
      Accept: 'text/event-stream', 'Gatehouse-Workspace': '${dashboard.workspace_id}' } });
    const text = await answer.text();
    const lines = text.split('\\n').filter((line) => line.startsWith('data: '));
    lines.map((line) => JSON.parse(line.slice(6)));
    return performance.now() - begun;
  })()`);
}

t.test('of a long prompt the rest is shown when it is asked for', skip, async (t) => {
  const { client } = dashboard;
  const run = await completeRun(client, await newSession(client), `${'x '.repeat(25_000)}its end`);
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, `runs/${run.id}`));
  const conversation = page.getByRole('region', { name: 'Conversation' });
  const more = conversation.getByRole('button', { name: 'Show all 50,007 characters' });
  await more.waitFor();
  t.equal(await conversation.getByText('its end').count(), 0);
  await more.click();
  await conversation.getByText('its end').waitFor();
  await leavePage(dashboard, page);
});

t.test('ten thousand events open', skip, async (t) => {
  const page = await openPage(dashboard);
  const [few, many] = runs as [LongRun, LongRun];
  for (const view of VIEWS) {
    const few_ms = await openMs(page, few, view);
    const many_ms = await openMs(page, many, view);
    const found = await page.locator('main *').count();
    const read_ms = await readMs(page, many);
    t.comment(`measured: ${view}: ${FEW} events open in ${few_ms.toFixed(0)} ms, ${MANY} in`
      + ` ${many_ms.toFixed(0)} ms; to read these alone takes ${read_ms.toFixed(0)} ms;`
      + ` ${found} elements`);
    if (view !== 'conversation') t.ok(found < 2_000, 'only what is in sight is in the page');
  }
  await page.goto(addressOf(dashboard, `runs/${many.id}`));
  await page.getByText(`(${MANY.toLocaleString('en')})`).waitFor();
  const paint_ms = await page.evaluate<number>(
    "performance.getEntriesByName('first-contentful-paint')[0].startTime");
  t.comment(`measured: first paint of its page ${paint_ms.toFixed(0)} ms`);
  await leavePage(dashboard, page);
});

t.test('a run that has ended opens at its beginning', skip, async (t) => {
  const page = await openPage(dashboard);
  const { id, events } = runs[1]!;
  for (const [view, role] of [['conversation', 'region'], ['timeline', 'treegrid'],
    ['events', 'grid']] as const) {
    await page.goto(addressOf(dashboard, `runs/${id}?view=${view}`));
    await page.getByText(`(${events.toLocaleString('en')})`).waitFor();
    t.equal(await page.getByRole(role, { name: new RegExp(view, 'i') }).evaluate(
      (element) => (element as unknown as { scrollTop: number }).scrollTop), 0, view);
  }
  await leavePage(dashboard, page);
});

t.test('how a run ends that is followed is in sight', skip, async () => {
  const { client } = dashboard;
  const run = await queueRun(client, await newSession(client),
    '@rehearsal words=20000 delay_ms=5', OFFLINE);
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, `runs/${run.id}`));
  const region = "document.querySelector('[role=region][aria-label=Conversation]')";
  await untilTrue(page, `${region}?.scrollTop > 200`);
  // It comes faster than it is drawn: several lines from one picture to the next.
  const slow = await page.context().newCDPSession(page);
  await slow.send('Emulation.setCPUThrottlingRate', { rate: 6 });
  await untilTrue(page, `${region}.scrollTop > 1_000`);
  await slow.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await client.expect(200, 'cancelRun', { path: { run_id: run.id } });
  await page.getByText(/^Cancelled after/).waitFor();
  await untilTrue(page,
    `${region}.scrollHeight - ${region}.scrollTop - ${region}.clientHeight < 2`);
  await page.context().close();
});

t.test('ten thousand events scroll', skip, async (t) => {
  const page = await openPage(dashboard);
  for (const { id, events } of runs) {
    await page.goto(addressOf(dashboard, `runs/${id}?view=events`));
    await page.getByText(`(${events.toLocaleString('en')})`).waitFor();
    await page.getByRole('grid').getByRole('row').nth(1).waitFor();
    const took_ms = await page.evaluate<number>(PICTURE_MS);
    t.comment(`measured: a picture while scrolling through ${events} events takes`
      + ` ${took_ms.toFixed(1)} ms`);
    t.ok(await tableRows(page).count() < 100, 'only what is in sight is in the page');
  }
  await leavePage(dashboard, page);
});

/** Many steps with a call each, as a real run has them; answers its id. */
async function storeRun(steps: number): Promise<string> {
  const { sql, workspace_id, client } = dashboard;
  const session_id = await newSession(client);
  const run_id = newId('run', Date.now() + 60_000);
  const input = prompt('Many steps').input;
  const events: { type: string; data: object }[] = [
    { type: 'run.created', data: { status: 'queued', input, metadata: {} } },
    { type: 'run.started', data: { attempt: 1, model: 'rehearsal' } }];
  for (let step = 0; step < steps; step++) {
    const call = { tool_call_id: `call_${step}`, name: 'pets.pets.list' };
    const args = { action: 'pets.pets.list' };
    const pieces = JSON.stringify(args).match(/.{1,4}/g)!;
    events.push(
      ...Array.from({ length: 12 - pieces.length }, (_, at) => ({
        type: 'reasoning.summary.delta', data: { item_id: `msg_${step}`, delta: `word ${at} ` } })),
      { type: 'tool_call.started', data: call },
      ...pieces.map((delta) => ({ type: 'tool_call.arguments.delta',
        data: { tool_call_id: call.tool_call_id, delta } })),
      { type: 'tool_call.completed', data: { ...call, invocation_id: `inv_${step}`,
        arguments: args, result: { ok: true, result: { step } }, truncated: false,
        duration_ms: 40 } });
  }
  events.push({ type: 'run.completed', data: { output: [],
    usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 } } });
  await sql`
    insert into runs (workspace_id, id, session_id, status, head, attempt, worker_id, last_seq,
      source, model, max_steps, timeout_s, input, started_at, finished_at)
    values (${workspace_id}, ${run_id}, ${session_id}, 'completed', false, 1, 'wrk_1',
      ${events.length}, 'api', 'rehearsal', 1, 60, ${JSON.stringify(input)}::text::json, now(),
      now())`;
  await sql`
    insert into run_events (workspace_id, run_id, seq, type, data, created_at)
    select ${workspace_id}, ${run_id}, at, e->>'type', e->'data', now() + at * interval '60 ms'
    from json_array_elements(${JSON.stringify(events)}::text::json) with ordinality as x (e, at)`;
  return run_id;
}

t.test('when many events come at once, no picture is without rows', skip, async (t) => {
  const { client } = dashboard;
  const run = await queueRun(client, await newSession(client),
    '@rehearsal words=2000 delay_ms=20', OFFLINE);
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, `runs/${run.id}?view=events`));
  await untilTrue(page,
    'Number(document.querySelector("[role=grid]")?.getAttribute("aria-rowcount")) > 60');
  // While the page is held up, they pile up.
  const gaps = await page.evaluate<number[]>(`new Promise((resolve) => {
    const grid = document.querySelector('[role=grid]');
    const gaps = [];
    const { port1, port2 } = new MessageChannel();
    const look = () => {
      const rows = [...grid.querySelectorAll('[data-index]')];
      const end = Math.max(...rows.map((row) => row.getBoundingClientRect().bottom));
      gaps.push(Math.round(grid.getBoundingClientRect().bottom - end));
      if (gaps.length === 40) resolve(gaps);
      else requestAnimationFrame(() => port2.postMessage(null));
    };
    port1.onmessage = look;
    for (const until = performance.now() + 2000; performance.now() < until;);
    look();
  })`);
  t.ok(Math.max(...gaps) < 36, `px without a row: ${gaps}`);
  await client.expect(200, 'cancelRun', { path: { run_id: run.id } });
  await leavePage(dashboard, page);
});

/** The page reads so many bytes of a stream, and the rest when `goOn()` is called in it. */
const SLOW_STREAM = `{
  const { fetch } = window;
  const called = new Promise((resolve) => { window.goOn = resolve; });
  window.fetch = async (...asked) => {
    const answer = await fetch(...asked);
    if (!answer.headers.get('Content-Type')?.startsWith('text/event-stream')) return answer;
    let left = 2_000; // in however many parts they come
    return new Response(answer.body.pipeThrough(new TransformStream({
      async transform(part, told) {
        const [first, rest] = [part.subarray(0, left), part.subarray(left)];
        left -= first.length;
        told.enqueue(first);
        if (left > 0) return;
        await called;
        told.enqueue(rest);
      },
    })), answer);
  };
}`;

t.test('how a run came out is told before its log is read', skip, async (t) => {
  const { client } = dashboard;
  const run = await completeRun(client, await newSession(client), '@rehearsal words=100');
  const page = await openPage(dashboard);
  await page.addInitScript(SLOW_STREAM);
  await page.goto(addressOf(dashboard, `runs/${run.id}`));
  const main = page.getByRole('main');
  await main.getByText('reading its log', { exact: true }).waitFor();
  await main.getByText('completed', { exact: true }).waitFor();
  t.match(await main.locator('dl').innerText(), /Tokens/);
  t.equal(await main.getByRole('button', { name: 'Cancel run' }).count(), 0);
  t.equal(await main.getByText(/^Completed after/).count(), 0);
  await page.evaluate('goOn()');
  await main.getByText(/^Completed after/).waitFor();
  await main.getByText('reading its log', { exact: true }).waitFor({ state: 'detached' });
  await page.context().close();
});

t.test('nothing failed, nothing was refused by the policy, nobody else was asked', skip,
  async (t) => {
    t.strictSame(dashboard.faults, []);
  });
