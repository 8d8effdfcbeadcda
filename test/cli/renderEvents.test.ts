import { stripVTControlCharacters, styleText } from 'node:util';
import t from 'tap';
import { EventRenderer } from '../../src/cli/renderEvents.ts';
import { PLAIN, type Style } from '../../src/cli/terminal.ts';
import { event, output, shortRun, USAGE, type RunEvent } from './support.ts';

function rendered(events: RunEvent[], style: Style = PLAIN): string {
  let text = '';
  const renderer = new EventRenderer((piece) => {
    text += piece;
  }, style);
  for (const each of events) renderer.event(each);
  renderer.close();
  return text;
}

/** The same on a screen of 32 columns, and how far it went back. */
function onScreen(events: RunEvent[], rows = 24) {
  let written = '';
  const backs: number[] = [];
  const renderer = new EventRenderer((piece) => {
    written += piece;
  }, (format, text) => styleText(format, text, { validateStream: false }),
  { columns: 32, rows, back: (lines) => void backs.push(lines) });
  for (const each of events) renderer.event(each);
  renderer.close();
  return { backs, raw: () => written, text: () => stripVTControlCharacters(written) };
}

const LIST = 'gatehouse.sessions.list';
const created = (text: string) => event(1, 'run.created', {
  status: 'queued', metadata: {},
  input: [{ role: 'user', content: [{ type: 'input_text', text }] }],
});
const started = (sequence_number: number, attempt = 1) =>
  event(sequence_number, 'run.started', { attempt, model: 'rehearsal' });
const called = (sequence_number: number, tool_call_id: string, name: string) =>
  event(sequence_number, 'tool_call.started', { tool_call_id, name });
const argued = (sequence_number: number, tool_call_id: string, delta: string) =>
  event(sequence_number, 'tool_call.arguments.delta', { tool_call_id, delta });
const returned = (sequence_number: number, tool_call_id: string, result: unknown) =>
  event(sequence_number, 'tool_call.completed', {
    tool_call_id, name: LIST, invocation_id: 'inv_1', truncated: false, duration_ms: 12,
    arguments: { action: LIST, input: { query: { limit: 1 } } },
    result: { ok: true, invocation_id: 'inv_1', action: LIST, connection_id: 'con_1', result },
  });
const said = (sequence_number: number, message_id: string, delta: string) =>
  event(sequence_number, 'message.output.delta', { message_id, delta });

t.test('a whole run', async (t) => {
  t.equal(rendered([
    created('Which sessions\ndo I have?'),
    started(2),
    event(3, 'reasoning.summary.delta', { item_id: 'msg_1', delta: 'Looking for ' }),
    event(4, 'reasoning.summary.delta', { item_id: 'msg_1', delta: 'sessions.\nThen I tell.' }),
    called(5, 'call_1', LIST),
    argued(6, 'call_1', `{"action":"${LIST}","input":{"query":{}`),
    argued(7, 'call_1', '}}'),
    returned(8, 'call_1', { object: 'list', data: [{ id: 'ses_1' }, {}], has_more: true }),
    said(9, 'msg_2', 'You have '),
    said(10, 'msg_2', 'two.\n\nOr more.'),
    event(11, 'message.output.completed',
      { message_id: 'msg_2', message: output('You have two.\n\nOr more.') }),
    event(12, 'run.completed', { output: [output('You have two.\n\nOr more.')], usage: USAGE }),
  ]), `run run_1 · session ses_1
> Which sessions do I have?
· Looking for sessions.
  Then I tell.
→ gatehouse.sessions.list {"query":{}}
  ✓ 2 items and more · 12 ms

You have two.

Or more.

✓ completed · model rehearsal · 12 tokens in, 3 out · 1.1 s
`);
});

t.test('calls in parallel, and everything that is missing for one', async (t) => {
  t.equal(rendered([
    called(3, 'call_1', 'github.issues.create'),
    argued(4, 'call_1', '{"action":"github.issues.create","input":{"title":"x"},"cursor":"c"}'),
    called(5, 'call_2', LIST),
    argued(6, 'call_2', `{"action":"${LIST}"}`),
    returned(7, 'call_2', { id: 'ses_1', status: 'active' }),
    event(8, 'tool_call.failed', {
      tool_call_id: 'call_1', name: 'github.issues.create', invocation_id: 'inv_2', duration_ms: 3,
      error: {
        code: 'not_permitted', message: 'It changes data. It has two connections.',
        missing: [
          { code: 'not_permitted', message: 'It changes data and no grant allows it.' },
          { code: 'connection_ambiguous', message: 'Say which one.', connections: [
            { connection_id: 'con_1', account_label: 'octo' },
            { connection_id: 'con_2', account_label: null }] },
          { code: 'invalid_input', message: 'The input is not valid.',
            violations: [{ path: '/input/body', message: 'is required' }] },
        ] as { code: 'not_permitted'; message: string }[],
      },
    }),
    called(9, 'call_3', LIST),
    argued(10, 'call_3', '{"action":'),
    event(11, 'tool_call.failed', {
      tool_call_id: 'call_3', name: LIST,
      error: { code: 'cancelled', message: 'The run was cancelled.' },
    }),
    event(12, 'run.cancelled', { previous_status: 'running', reason: 'requested' }),
  ]), `→ github.issues.create {"input":{"title":"x"},"cursor":"c"}
→ gatehouse.sessions.list
  ✓ {"id":"ses_1","status":"active"} · 12 ms
  ✗ github.issues.create was not performed (3 ms). What is missing:
    - not_permitted: It changes data and no grant allows it.
    - connection_ambiguous: Say which one.
        con_1 octo
        con_2
    - invalid_input: The input is not valid.
        /input/body is required
→ gatehouse.sessions.list {"action":
  ✗ cancelled: The run was cancelled.

■ cancelled (requested)
`);
});

t.test('with calls in parallel each outcome tells whose it is', async (t) => {
  const text = rendered([
    called(3, 'call_1', LIST), argued(4, 'call_1', '{}'),
    called(5, 'call_2', LIST), argued(6, 'call_2', '{}'),
    returned(7, 'call_1', []), returned(8, 'call_2', []),
  ]);
  const outcome = `  ✓ ${LIST} · 0 items · 12 ms\n`;
  t.equal(text, `→ ${LIST}\n→ ${LIST}\n${outcome}${outcome}`);
});

t.test('a crash: what was unfinished is void, and what follows counts', async (t) => {
  t.equal(rendered([
    started(2),
    said(3, 'msg_1', 'Half of'),
    started(4, 2),
    said(5, 'msg_2', 'The whole answer.'),
    event(6, 'message.output.completed',
      { message_id: 'msg_2', message: output('The whole answer.') }),
    event(7, 'run.failed', {
      error: { code: 'timeout', message: 'It took too long.', retryable: true }, usage: USAGE,
    }),
  ]), `
Half of
attempt 2: another worker has taken the run on; the unfinished answer above is void

The whole answer.

✗ failed: It took too long. (timeout; trying again may help) · model rehearsal · 12 tokens in, 3 out
`);
});

t.test('a step that is made again without a crash', async (t) => {
  t.match(rendered([said(3, 'msg_1', 'Half'), said(4, 'msg_2', 'Whole')]),
    'Half\nthe model was asked again; its unfinished answer above is void\n\nWhole\n');
});

t.test('from any event on, nothing is lost or said twice', async (t) => {
  const text = 'It is said.';
  for (const after of [0, 1, 2, 3]) {
    const seen = rendered(shortRun(text).slice(after));
    t.equal(seen.split(text).length, 2, `after ${after}`);
  }
  const late = returned(9, 'call_1', []);
  t.equal(rendered([late]),
    '→ gatehouse.sessions.list {"query":{"limit":1}}\n  ✓ 0 items · 12 ms\n');
});

t.test('a message is completed with what did not come in pieces', async (t) => {
  t.equal(rendered([
    said(3, 'msg_1', 'It is '),
    event(4, 'message.output.completed', { message_id: 'msg_1', message: output('It is said.') }),
  ]), '\nIt is said.\n');
  t.equal(rendered([
    said(3, 'msg_1', 'said.'), // followed from the middle on
    event(4, 'message.output.completed', { message_id: 'msg_1', message: output('It is said.') }),
  ]), '\nsaid.\n');
});

t.test('a message that was cut off says so', async (t) => {
  const cut = (incomplete_reason: 'max_output_tokens' | 'content_filter' | 'other') =>
    rendered([event(4, 'message.output.completed',
      { message_id: 'msg_1', message: { ...output('Half an'), incomplete_reason } })]);
  t.match(cut('max_output_tokens'), /Half an\n.*cut off: it has as many tokens as/);
  t.match(cut('content_filter'), /Half an\n.*cut off by the provider's content filter/);
  t.match(cut('other'), /Half an\n.*cut off by the provider, which does not say why/);
});

t.test("what others wrote cannot steer the reader's terminal", async (t) => {
  const evil = '\u001b]0;title\u0007\u009b2J\r\u202e\u2066\u200f\u061c';
  const text = rendered([
    created(evil), started(2),
    event(3, 'reasoning.summary.delta', { item_id: 'msg_1', delta: evil }),
    called(4, 'call_1', evil), argued(5, 'call_1', JSON.stringify({ input: { a: evil } })),
    returned(6, 'call_1', evil),
    event(7, 'tool_call.failed', {
      tool_call_id: 'call_2', name: evil, error: { code: evil, message: evil },
    }),
    said(8, 'msg_2', evil),
    event(9, 'run.failed', {
      error: { code: 'model_error', message: evil, retryable: false }, usage: USAGE,
    }),
  ]);
  t.notMatch(text,
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
  t.match(text, '<U+202E><U+2066><U+200F><U+061C>', 'what turns the direction is shown');
});

t.test('on a screen: lines end between words, and Markdown is read', async (t) => {
  const { text } = onScreen([
    created('Which sessions do I have, and what are they about?'), started(2),
    event(3, 'reasoning.summary.delta', { item_id: 'msg_1', delta: '**Looking** for the ' }),
    event(4, 'reasoning.summary.delta', { item_id: 'msg_1', delta: 'sessions that there are.' }),
    called(5, 'call_1', LIST), argued(6, 'call_1', '{"input":{"query":{"limit":1}}}'),
    returned(7, 'call_1', []),
    said(8, 'msg_2', 'You have **none'), said(9, 'msg_2', '** of them:\n- not one, nor'),
    said(10, 'msg_2', ' two of them, I am sorry'),
    event(11, 'message.output.completed', { message_id: 'msg_2',
      message: output('You have **none** of them:\n- not one, nor two of them, I am sorry') }),
    event(12, 'run.completed', { output: [output('None.')], usage: USAGE }),
  ]);
  t.equal(text(), `run run_1 · session ses_1
> Which sessions do I have, and
  what are they about?
· Looking for the sessions that
  there are.
→ gatehouse.sessions.list {"quer
  y":{"limit":1}}
  ✓ 0 items · 12 ms

You have none of them:
• not one, nor two of them, I am
  sorry

✓ completed · model rehearsal ·
  12 tokens in, 3 out · 1.1 s
`);
});

t.test('on a screen: what is void is struck out where it is in view', async (t) => {
  const voided = (pieces: string[], rows?: number) => onScreen([
    started(2), ...pieces.map((piece, index) => said(3 + index, 'msg_1', piece)),
    started(90, 2), said(91, 'msg_2', 'The whole.'),
  ], rows);
  const seen = voided(['Half of\n', 'an answer that is longer than a line is']);
  t.equal(seen.backs.join(), '3', 'so many lines were written');
  t.match(seen.raw(), '\u001b[2m\u001b[9mHalf of\u001b[29m\u001b[22m\n');
  t.match(seen.text(), /is\s+void\n\nThe whole\.\n$/, 'and words say so');
  t.notMatch(voided(['a\n'.repeat(30)]).raw(), '\u001b[9m', 'it has scrolled away');
  t.match(voided(['a\n'.repeat(30)]).text(), /above is\s+void/);
  const between = onScreen([started(2), said(3, 'msg_1', 'Half'),
    returned(4, 'call_1', []), started(5, 2)]);
  t.notMatch(between.raw(), '\u001b[9m', 'something else is below it');
});

t.test('on a screen as well, what others wrote cannot steer it', async (t) => {
  const evil = '\u001b]8;;http://x\u0007\u001b[2J\u009b2J\r\u202e';
  const { raw } = onScreen([created(evil),
    event(3, 'reasoning.summary.delta', { item_id: 'msg_1', delta: evil }),
    said(4, 'msg_2', `**${evil}** [${evil}](${evil})\n|${evil}|\n|-|\n|${evil}|\n\n\`\`\`${evil}`),
  ]);
  t.notMatch(raw().replaceAll(/\u001b\[\d+m/g, ''),
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
});

t.test('colours go where they are wanted', async (t) => {
  const text = rendered(shortRun('Hi'), (format, piece) => `<${format}>${piece}</>`);
  t.match(text, '<dim>run run_1 · session ses_1</>\n<bold>></> Say it.\n\nHi\n\n<green>✓ comp');
});
