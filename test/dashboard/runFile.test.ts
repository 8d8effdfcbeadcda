/**
 * Files of runs: what a run looks like that has long texts, many values or no end; and files that
 * somebody has made to break, deceive or hold up the page that opens them.
 */
import type { Page } from 'playwright-core';
import t from 'tap';
import { untilSeen } from '../support/until.ts';
import { dashboardFor, dropFile, faultsOfSight, leavePage, openPage } from './support.ts';

const { skip, dashboard } = await dashboardFor(t);

const BEGUN_MS = Date.parse('2026-01-01T00:00:00.000Z');
const event = (sequence_number: number, type: string, data: object, after_ms = 0) => ({
  id: `evt_${sequence_number}`, object: 'event', run_id: 'run_x', session_id: 'ses_x',
  sequence_number, type, created_at: new Date(BEGUN_MS + after_ms).toISOString(), data });
const asked = (text: string, metadata = {}) => event(1, 'run.created', { status: 'queued',
  metadata, input: [{ role: 'user', content: [{ type: 'input_text', text }] }] });
const created = asked('What is asked');
const started = (after_ms = 0) =>
  event(2, 'run.started', { attempt: 1, model: 'rehearsal' }, after_ms);
const failed = (number: number, message: string, after_ms = 0) =>
  event(number, 'run.failed', { error: { code: 'internal_error', message } }, after_ms);

/** Opens these events as a file; what was shown before is gone. */
async function openFile(page: Page, events: object[], rest: object = {}): Promise<void> {
  await page.goto(`${dashboard.origin}/dashboard/run-file`);
  await page.getByRole('heading', { name: 'Drop a run here' }).waitFor();
  await dropFile(page, 'main', 'run.json', JSON.stringify({ ...rest, events }));
  await page.getByRole('tab', { name: /Conversation/ }).waitFor();
}

const called = (data: string) => `{"events":[${JSON.stringify(created)},${
  JSON.stringify(event(2, 'tool_call.started', { tool_call_id: 'call_x', name: 'a.b' }))},${
  JSON.stringify(event(3, 'tool_call.completed', { tool_call_id: 'call_x', name: 'a.b',
    truncated: false })).replace('"truncated"', `${data},"truncated"`)}]}`;
const NOT_AS_THOSE = [
  { ...created, data: { input: 'text', metadata: {} } },
  { ...created, data: { input: [{ content: [{ text: {} }] }], metadata: null } },
].map((first) => JSON.stringify({ events: [first] }));

t.test('a file that was tampered with breaks nothing', skip, async (t) => {
  const page = await openPage(dashboard, { is_signed_in: false, width: 'phone' });
  page.on('dialog', () => t.fail('a dialog opened'));
  await page.goto(`${dashboard.origin}/dashboard/run-file`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  t.strictSame(await faultsOfSight(page), []);
  for (const [at, text] of NOT_AS_THOSE.entries()) {
    await dropFile(page, 'main', `${at}.json`, text);
    await page.getByRole('alert').getByText(`${at}.json: Its events are not as those of a run.`)
      .waitFor();
  }
  t.ok(dashboard.faults.length > 0 && dashboard.faults.every((fault) => /run-file/.test(fault)));
  dashboard.faults.length = 0;
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  await dropFile(page, 'main', 'deep.json', called(`"arguments":${deep},"result":{
    "__proto__":{"is_whole":true},"constructor":{"prototype":{"is_whole":true}}}`));
  await page.getByRole('heading', { name: 'What is asked' }).waitFor();
  await page.getByRole('button', { name: /a\.b/ }).click();
  const result = page.getByRole('tree', { name: 'result' });
  await result.getByText('__proto__').waitFor();
  await page.getByRole('tree', { name: 'input' }).getByText('0:').first().waitFor();
  t.equal(await page.evaluate('({}).is_whole'), undefined);
  t.strictSame(await faultsOfSight(page), []);
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: /Events/ }).click();
  await page.getByRole('row', { name: /tool_call.completed/ }).waitFor();
  await leavePage(dashboard, page);
});

t.test('of two files the later one is shown', skip, async (t) => {
  const page = await openPage(dashboard, { is_signed_in: false });
  await page.goto(`${dashboard.origin}/dashboard/run-file`);
  await page.getByRole('heading', { name: 'Drop a run here' }).waitFor();
  await page.evaluate(`const { text } = File.prototype;
    File.prototype.text = function held() {
      File.prototype.text = text;
      return new Promise((resolve) => { window.read = () => resolve(text.call(this)); });
    };`);
  for (const words of ['The first', 'The second']) {
    await dropFile(page, 'main', `${words}.json`, JSON.stringify({ events: [asked(words)] }));
  }
  await page.getByRole('heading', { name: 'The second' }).waitFor();
  await page.evaluate('window.read()');
  await page.evaluate(`new Promise((resolve) =>
    requestAnimationFrame(() => requestAnimationFrame(resolve)))`);
  t.equal(await page.getByRole('heading', { name: 'The first' }).count(), 0);
  await leavePage(dashboard, page);
});

t.test('Markdown that would hold up the page is shown as it stands', skip, async (t) => {
  const page = await openPage(dashboard, { is_signed_in: false });
  await page.goto(`${dashboard.origin}/dashboard/run-file`);
  let shown = 0;
  const show = async (text: string) => {
    const message = { role: 'assistant',
      content: [{ type: 'output_text', text: `${text}\n\nend ${++shown}` }] };
    await dropFile(page, 'main', 'run.json', JSON.stringify({ events: [created,
      event(2, 'message.output.completed', { message_id: 'msg_x', message })] }));
    await page.getByRole('region', { name: 'Conversation' }).getByText(`end ${shown}`).waitFor();
  };
  const count = (of: string) => page.locator(`main :is(${of})`).count();
  await show('> quoted\n\n- a\n  - b');
  t.equal(await count('blockquote, li li li'), 2, 'what people write is read');
  const list = Array.from({ length: 150 }, (_, at) => `${'  '.repeat(at)}- a`).join('\n');
  for (const deep of [`${'> '.repeat(20_000)}a`, `${'- '.repeat(20_000)}a`, list]) {
    await show(deep);
    t.equal(await count('blockquote, li li li'), 0);
  }
  // As Markdown, each of these takes minutes.
  for (const [at, slow] of ['**b '.repeat(12_000), `${'a'.repeat(48_000)}@`].entries()) {
    await show(`**bold ${at}**\n\n${slow}`);
    await page.locator('strong').getByText(`bold ${at}`).waitFor();
  }
  await show('what is \u202edlrow\u202c');
  await page.getByText('what is [U+202E]dlrow').waitFor();
  await leavePage(dashboard, page);
});

t.test('a run is read in a low window too', skip, async (t) => {
  const page = await openPage(dashboard, { is_signed_in: false });
  const metadata = Object.fromEntries(Array.from({ length: 16 }, (_, at) =>
    [`name_${at}`, `value ${at} ${'x'.repeat(400)}`]));
  await openFile(page, [asked('What is asked', metadata), started(),
    failed(3, `It fails.\n${'Why it does so.\n'.repeat(6)}`)],
  { run: { instructions: 'Be **brief**.' } });
  await page.getByRole('button', { name: 'Read' }).click();
  await page.getByRole('dialog', { name: 'Instructions' }).getByText('Be **brief**.')
    .waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('value 0 ').waitFor();
  t.equal(await page.getByText('value 15 ').count(), 0, 'many values are folded');
  await page.setViewportSize({ width: 640, height: 400 });
  const shown: [view: string, role: 'region' | 'treegrid' | 'grid', name: string][] = [
    ['Conversation', 'region', 'Conversation'], ['Timeline', 'treegrid', 'Timeline'],
    ['Events', 'grid', 'Events']];
  for (const [view, role, name] of shown) {
    await page.getByRole('tab', { name: view }).click();
    const { height } = (await page.getByRole(role, { name }).boundingBox())!;
    t.ok(height > 140, `${view} has ${height} px`);
  }
  await page.getByRole('alert').hover();
  await page.mouse.wheel(0, 2_000);
  await untilSeen('the page scrolls to the end of the view', async () => {
    const { y, height } = (await page.getByRole('grid', { name: 'Events' }).boundingBox())!;
    return Math.round(y + height); // A page is scrolled by whole pixels.
  }, (end) => end <= 400);
  await page.getByRole('button', { name: '12 more values' }).press('Enter');
  await page.getByText('value 15 ').waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await leavePage(dashboard, page);
});

/** A call that has ended, as two events. */
const call = (number: number, id: string, args: object) => {
  const named = { tool_call_id: id, name: `of.${id}` };
  return [event(number, 'tool_call.started', named), event(number + 1, 'tool_call.completed',
    { ...named, arguments: args, result: {}, truncated: false, duration_ms: 1 })];
};

t.test('the next call begins at its top, and answers the keyboard', skip, async (t) => {
  const page = await openPage(dashboard, { is_signed_in: false });
  const long = Array.from({ length: 200 }, (_, at) => ({ at }));
  await openFile(page, [created, started(), ...call(3, 'long', { list: long }),
    ...call(5, 'short', { one: { two: { three: 3 } } }), failed(7, 'No.')]);
  await page.getByRole('button', { name: /of\.long/ }).click();
  const drawer = page.getByRole('dialog');
  const tree = page.getByRole('tree', { name: 'input' });
  const active = tree.locator('[aria-selected=true]');
  await tree.getByText('list:').waitFor();
  await tree.press('End');
  await active.getByText('199:').waitFor();
  await drawer.getByText('Particulars').scrollIntoViewIfNeeded();
  const next = drawer.getByRole('button', { name: 'Next call' });
  await next.press('Enter');
  await drawer.getByRole('heading', { name: 'of.short' }).waitFor();
  t.equal(await page.evaluate('document.querySelector("[role=dialog] > .grow").scrollTop'), 0);
  t.ok(await next.isDisabled(), 'there is no other');
  t.equal(await page.evaluate('document.activeElement.textContent'), 'Next call');
  await next.press('Enter');
  t.strictSame(await faultsOfSight(page), []);
  await tree.press('ArrowDown');
  await active.getByText('one:').waitFor();
  await tree.press('ArrowDown');
  await tree.press('ArrowRight');
  await tree.getByText('three:').waitFor();
  await leavePage(dashboard, page);
});

t.test('a file without the end of its run ends with its last event', skip, async (t) => {
  const page = await openPage(dashboard, { is_signed_in: false });
  await openFile(page, [created, started(4_000), event(3, 'tool_call.started',
    { tool_call_id: 'call_x', name: 'a.b' }, 5_000),
  event(4, 'message.output.delta', { message_id: 'msg_x', delta: 'Half of' }, 5_000)]);
  await page.getByText('The file ends here: the end of the run is not in it.').waitFor();
  t.equal(await page.getByText('Writing …').count(), 0);
  t.match(await page.locator('dl').first().textContent(), /Queued4\.0 sRan1\.0 s/);
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await page.getByRole('row', { name: /^a\.b/ }).getByText('0 ms', { exact: true }).waitFor();
  await page.getByRole('row', { name: /^Step 1/ }).getByText('1.0 s', { exact: true }).waitFor();
  t.equal(await page.locator('.animate-pulse').count(), 0, 'nothing goes on');
  await page.getByRole('row', { name: /^a\.b/ }).click();
  await page.getByRole('dialog').getByText('running').waitFor();
  await openFile(page, [created]);
  await page.getByText('The file ends here').waitFor();
  t.equal(await page.getByText('Waits for its turn').count(), 0);
  await leavePage(dashboard, page);
});

t.test('the times of the axis differ, at any zoom, and zooming keeps the focus', skip,
  async (t) => {
    const page = await openPage(dashboard, { is_signed_in: false });
    const axis = page.getByRole('columnheader', { name: 'Time' }).locator('[aria-hidden]');
    const labels = async () => {
      const texts = await axis.allTextContents();
      t.ok(texts.length >= 3, texts.join());
      t.equal(new Set(texts).size, texts.length, texts.slice(0, 20).join());
      return texts;
    };
    await openFile(page, [created, started(70_000), failed(3, 'No.', 70_300)]);
    await page.getByRole('tab', { name: 'Timeline' }).click();
    t.ok((await labels()).includes('1 min 10.1 s'));
    await openFile(page, [created, started(), failed(3, 'No.', 7_000)]);
    await page.getByRole('tab', { name: 'Timeline' }).click();
    t.ok((await labels()).includes('2 s'));
    const has_focus = () => page.evaluate('document.activeElement.getAttribute("aria-label") '
      + '?? document.activeElement.textContent');
    const more = page.getByRole('button', { name: 'Zoom in (+)' });
    for (let zoom = 0; zoom <= 6; zoom++) await more.press('Enter');
    t.equal(await has_focus(), 'Zoom in (+)');
    await labels();
    await page.getByRole('button', { name: 'Fit' }).press('Enter');
    t.equal(await has_focus(), 'Fit');
    t.strictSame(await faultsOfSight(page), []);
    await leavePage(dashboard, page);
  });

/** Opens a run in which the agent says this. */
async function openSaid(page: Page, text: string): Promise<void> {
  const message = { role: 'assistant', content: [{ type: 'output_text', text }] };
  await openFile(page, [created,
    event(2, 'message.output.completed', { message_id: 'msg_x', message })]);
}

t.test('a list of tasks has a box beside each', skip, async (t) => {
  const page = await openPage(dashboard, { is_signed_in: false });
  await openSaid(page, '- [x] done\n- [ ] open\n\n1. [x] with\n\n   two paragraphs');
  const items = page.getByRole('region', { name: 'Conversation' }).locator('li li');
  await items.last().waitFor();
  t.strictSame(await items.allTextContents(), ['☑done', '☐open', '☑withtwo paragraphs']);
  const box = (await items.getByRole('img', { name: 'done' }).first().boundingBox())!;
  const words = (await items.getByText('done', { exact: true }).boundingBox())!;
  t.equal(box.y, words.y, 'on one line');
  t.strictSame(await faultsOfSight(page), []);
  await leavePage(dashboard, page);
});

t.test('character references are the characters, and text', skip, async (t) => {
  const page = await openPage(dashboard, { is_signed_in: false });
  await openSaid(page, 'Tom &amp; Jerry &lt;3 &#x41;&#66;&auml; `&amp;` \\&amp; &nothing; &#0; '
    + '&#x202e; &lt;b&gt;bold&lt;/b&gt; &amp;lt;');
  const said = page.getByText('bold');
  await said.waitFor();
  t.equal(await said.textContent(),
    'Tom & Jerry <3 ABä &amp; &amp; &nothing; \ufffd [U+202E] <b>bold</b> &lt;');
  await leavePage(dashboard, page);
});

t.test('lines that end as those of Windows are not marked', skip, async (t) => {
  const page = await openPage(dashboard, { is_signed_in: false });
  await openFile(page, [created, failed(2, 'One line.\r\nAnother.\rA third.')]);
  t.strictSame(await page.getByRole('alert').locator('mark').allTextContents(), ['U+000D']);
  await leavePage(dashboard, page);
});

t.test('no emoji is cut in two', skip, async (t) => {
  const page = await openPage(dashboard, { is_signed_in: false });
  await openFile(page, [asked(`${'x'.repeat(119)}👩 and more`)]);
  t.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'x'.repeat(119));
  await leavePage(dashboard, page);
});

t.test('nothing failed, nothing was refused by the policy, nobody else was asked', skip,
  async (t) => {
    t.strictSame(dashboard.faults, []);
  });
