/** Streams that lose, repeat, reorder, hold back, cut, merge, misnumber or change events. */
import { block, Cut, never, type Defect, type Message } from './defect.ts';

type Items = AsyncIterable<Message>;
type Out = AsyncIterable<Message | string>;

const isLast = ({ data }: Message) => /^run\.(completed|failed|cancelled)$/.test(data.type);

/** These only show by an event, or an end, that does not come. */
const SILENT = new Set(['buffered', 'replays_buffered', 'held_back_by_one', 'held_back_by_four',
  'never_closes']);

function streams(
  name: string, does: string, stream: (items: Items) => Out,
  topics: Defect['topics'] = ['streams']): Defect {
  return { name: `events.${name}`, does, topics, stream, silent: SILENT.has(name) };
}

/** Each message by itself: its place counts from 1, and [] drops it. */
function each(
  name: string, does: string, change: (message: Message, place: number) => (Message | string)[],
  topics?: Defect['topics']): Defect {
  return streams(name, does, async function* (items) {
    let place = 0;
    for await (const message of items) yield* change(message, ++place);
  }, topics);
}

/** Changes the envelope of the messages that are meant. */
function edit(
  name: string, does: string, change: (data: any, place: number) => unknown,
  topics?: Defect['topics']): Defect {
  return each(name, does, (message, place) => {
    const data = structuredClone(message.data);
    change(data, place);
    return [{ ...message, data }];
  }, topics);
}

function renumbered(message: Message, number: number): Message {
  const data = { ...message.data, sequence_number: number };
  return { ...message, id: String(number), data };
}

/** The block of a message in which one character is not escaped. */
function bare(message: Message, code: string): string {
  return block(message).replaceAll(`\\u${code}`, String.fromCharCode(Number.parseInt(code, 16)));
}

async function all(items: Items): Promise<Message[]> {
  return await Array.fromAsync(items);
}

const LOST_AND_REPEATED: Defect[] = [
  each('drops_first', 'leaves event 1 out', (m, place) => place === 1 ? [] : [m]),
  each('drops_second', 'leaves event 2 out', (m, place) => place === 2 ? [] : [m]),
  each('drops_fourth', 'leaves event 4 out', (m, place) => place === 4 ? [] : [m]),
  each('drops_every_tenth', 'leaves each tenth out', (m, place) => place % 10 === 0 ? [] : [m]),
  each('drops_the_last', 'leaves the terminal event out', (m) => isLast(m) ? [] : [m]),
  each('drops_whole_messages', 'leaves message.output.completed out',
    (m) => m.data.type === 'message.output.completed' ? [] : [m]),
  each('drops_ends_of_calls', 'leaves tool_call.completed out',
    (m) => m.data.type === 'tool_call.completed' ? [] : [m]),
  streams('drops_and_renumbers', 'leaves event 3 out and closes the gap',
    async function* (items) {
      let number = 0;
      for await (const m of items) if (m.id !== '3') yield renumbered(m, ++number);
    }),
  each('repeats_first', 'sends event 1 twice', (m, place) => place === 1 ? [m, m] : [m]),
  each('repeats_third', 'sends event 3 twice', (m, place) => place === 3 ? [m, m] : [m]),
  each('repeats_the_last', 'sends the terminal event twice', (m) => isLast(m) ? [m, m] : [m]),
  streams('repeats_all', 'sends the whole stream twice', async function* (items) {
    const messages = await all(items);
    yield* [...messages, ...messages];
  }),
  each('repeats_under_new_number', 'sends a delta twice, the second time numbered as its next',
    (m, place) => place === 4 ? [m, renumbered(m, 5)] : [m]),
];

const REORDERED_AND_LATE: Defect[] = [
  streams('swaps_neighbours', 'sends event 3 before event 2', async function* (items) {
    const held: Message[] = [];
    for await (const m of items) {
      if (m.id === '2') held.push(m);
      else yield* [m, ...held.splice(0)];
    }
  }),
  streams('terminal_too_early', 'sends the last event before the one before it',
    async function* (items) {
      let before: Message | undefined;
      for await (const m of items) {
        if (isLast(m)) yield* before ? [m, before] : [m];
        else if (before) yield before;
        before = m;
      }
    }),
  streams('reversed', 'sends the newest first', async function* (items) {
    yield* (await all(items)).reverse();
  }),
  streams('buffered', 'holds everything until the run has ended', async function* (items) {
    yield* await all(items);
  }),
  streams('held_back_by_one', 'sends an event when the next one comes', async function* (items) {
    let held: Message | undefined;
    for await (const m of items) {
      if (held) yield held;
      held = m;
    }
    if (held) yield held;
  }),
  streams('held_back_by_four', 'sends events in fours', async function* (items) {
    const held: Message[] = [];
    for await (const m of items) {
      held.push(m);
      if (held.length === 4) yield* held.splice(0);
    }
    yield* held;
  }),
  streams('replays_buffered', 'holds back what a second reader asks for until the run has ended',
    async function* (items) { yield* await all(items); }),
  streams('never_closes', 'stays open after the last event', async function* (items) {
    yield* items;
    await never();
  }),
  each('speaks_after_the_end', 'sends a delta after the terminal event', (m) => isLast(m)
    ? [m, renumbered({ ...m, event: 'message.output.delta', data: { ...m.data,
      id: `${m.data.id}_`, type: 'message.output.delta',
      data: { message_id: 'msg_1', delta: 'x' } } }, Number(m.id) + 1)] : [m]),
  each('two_ends', 'sends run.failed after run.completed', (m) => m.data.type === 'run.completed'
    ? [m, renumbered({ ...m, event: 'run.failed', data: { ...m.data, id: `${m.data.id}_`,
      type: 'run.failed', data: { usage: m.data.data.usage,
        error: { code: 'timeout', message: 'x', retryable: false } } } }, Number(m.id) + 1)] : [m]),
];
REORDERED_AND_LATE.find(({ name }) => name === 'events.replays_buffered')!.stream =
  async function* (items, { id }) {
    if (id === 'createRun') yield* items;
    else yield* await all(items);
  };

const CUT_AND_MERGED: Defect[] = [
  streams('ends_early', 'ends in good order before the terminal event', async function* (items) {
    for await (const m of items) {
      if (isLast(m)) return;
      yield m;
    }
  }),
  streams('ends_when_caught_up', 'ends with what there is, while the run goes on',
    async function* (items) {
      for await (const m of items) {
        yield m;
        if (m.data.type === 'run.started') return;
      }
    }, ['streams', 'resume']),
  streams('breaks_off', 'breaks the connection after event 3', async function* (items) {
    for await (const m of items) {
      yield m;
      if (m.id === '3') throw new Cut();
    }
  }, ['streams', 'resume']),
  streams('half_an_event', 'breaks the connection in the middle of event 4',
    async function* (items) {
      for await (const m of items) {
        if (m.id !== '4') yield m;
        else {
          yield block(m).slice(0, 80);
          throw new Cut();
        }
      }
    }),
  streams('half_the_last', 'ends in the middle of the terminal event', async function* (items) {
    for await (const m of items) yield isLast(m) ? block(m).slice(0, -2) : m;
  }),
  streams('merged_blocks', 'sends events 2 and 3 without a blank line between them',
    async function* (items) {
      for await (const m of items) yield m.id === '2' ? block(m).slice(0, -1) : m;
    }),
  streams('merged_data', 'puts the data of events 2 and 3 into one array',
    async function* (items) {
      const held: Message[] = [];
      for await (const m of items) {
        if (m.id === '2') held.push(m);
        else yield m.id === '3' ? { ...m, data: [held[0]!.data, m.data] } : m;
      }
    }),
  streams('joins_deltas', 'joins two deltas of a message to one and closes the gap',
    async function* (items) {
      let number = 0;
      let held: Message | undefined;
      let done = false;
      for await (const m of items) {
        if (!done && !held && m.data.type === 'message.output.delta') { held = m; continue; }
        if (held) {
          const joined = m.data.type === 'message.output.delta';
          if (joined) {
            yield renumbered({ ...m, data: { ...m.data, data: { ...m.data.data,
              delta: held.data.data.delta + m.data.data.delta } } }, ++number);
          } else yield* [renumbered(held, ++number), renumbered(m, ++number)];
          [held, done] = [undefined, true];
          continue;
        }
        yield renumbered(m, ++number);
      }
    }),
  each('line_break_in_data', 'breaks data in the middle of a word', (m) =>
    [block(m).replace('"sequence_number"', '"sequence\ndata: _number"')]),
  each('cut_data', 'cuts data after 250 characters', (m) =>
    [block(m).replace(/^data: (.{250}).+$/m, 'data: $1')]),
];

const FIELDS: Defect[] = [
  each('heartbeat_as_event', 'sends a heartbeat as an event', (m, place) => place === 2
    ? [m, 'event: heartbeat\ndata: {}\n\n'] : [m]),
  each('blank_line_after_comment', 'ends a comment with a blank line', (m, place) => place === 2
    ? [m, ': keep-alive\n\n'] : [m]),
  each('blank_line_after_retry', 'says retry in a block of its own', (m, place) => place === 1
    ? ['retry: 1000\n\n', m] : [m]),
  each('blank_line_too_many', 'ends an event with two blank lines', (m) => [`${block(m)}\n`]),
  each('bare_2028', 'sends U+2028 as it is', (m) => [bare(m, '2028')], ['streams.words']),
  each('bare_0085', 'sends U+0085 as it is', (m) => [bare(m, '0085')], ['streams.words']),
  each('done_marker', 'ends with data: [DONE]', (m) => isLast(m) ? [m, 'data: [DONE]\n\n'] : [m]),
  each('no_id', 'sends no id', (m) => [{ ...m, id: undefined }]),
  each('id_off_by_one', 'counts ids from 0', (m) => [{ ...m, id: String(Number(m.id) - 1) }]),
  each('id_of_event', 'sends the id of the event as the id of the message',
    (m) => [{ ...m, id: m.data.id }]),
  each('no_event', 'sends no event', (m) => [{ ...m, event: undefined }]),
  each('wrong_event', 'calls every event message', (m) => [{ ...m, event: 'message' }]),
  each('numbers_from_0', 'counts events from 0', (m) => [renumbered(m, Number(m.id) - 1)]),
  each('numbers_by_twos', 'counts 1, 3, 5', (m) => [renumbered(m, 2 * Number(m.id) - 1)]),
  each('bare_data', 'sends the data without its envelope', (m) => [{ ...m, data: m.data.data }]),
  each('mangled_letters', 'takes UTF-8 for Latin-1',
    (m) => [Buffer.from(block(m)).toString('latin1')]),
  edit('number_as_text', 'sends sequence_number as a text', (data) => {
    data.sequence_number = String(data.sequence_number);
  }),
  edit('no_data', 'leaves data out of event 2', (data, place) => {
    if (place === 2) delete data.data;
  }),
  edit('unknown_kind', 'sends a kind that the document does not have', (data, place) => {
    if (place === 2) data.type = 'run.progress';
  }),
  edit('another_run', 'names another run', (data) => { data.run_id = 'run_another'; }),
  edit('another_session', 'names another session from event 2 on', (data, place) => {
    if (place > 1) data.session_id = 'ses_another';
  }),
  edit('one_id_for_all', 'gives every event the same id', (data) => { data.id = 'evt_1'; }),
  edit('local_time', 'sends times without Z', (data) => {
    data.created_at = data.created_at.replace('Z', '+00:00');
  }),
  edit('time_in_seconds', 'sends times without milliseconds', (data) => {
    data.created_at = data.created_at.replace(/\.\d+/, '');
  }),
  edit('time_goes_back', 'stores event 3 an hour before event 2', (data, place) => {
    if (place === 3) data.created_at = '2020-01-01T00:00:00.000Z';
  }),
  edit('no_attempt', 'starts with attempt 0', (data) => {
    if (data.type === 'run.started') data.data.attempt = 0;
  }),
  edit('lost_letter', 'loses the first letter of a delta', (data) => {
    if (data.type === 'message.output.delta') data.data.delta = data.data.delta.slice(1);
  }),
  edit('empty_output', 'ends a run with no output', (data) => {
    if (data.type === 'run.completed') data.data.output = [];
  }),
  edit('no_usage', 'ends a run with usage null', (data) => {
    if (data.type === 'run.completed') data.data.usage = null;
  }),
  edit('other_usage', 'ends a run with other numbers of tokens', (data) => {
    if (data.type === 'run.completed') data.data.usage.total_tokens += 1;
  }),
  edit('other_call_id', 'ends a call under another id', (data) => {
    if (data.type === 'tool_call.completed') data.data.tool_call_id += '_';
  }),
  edit('other_arguments', 'ends a call with other arguments', (data) => {
    if (data.type === 'tool_call.completed') data.data.arguments = {};
  }),
  edit('other_input', 'begins with another input', (data) => {
    if (data.type === 'run.created') data.data.input[0].content[0].text += '!';
  }),
  edit('wrong_previous_status', 'says that a running run was queued when cancelled', (data) => {
    if (data.type === 'run.cancelled') data.data.previous_status = 'queued';
  }),
  edit('no_reason', 'says of a run that was cancelled no reason', (data) => {
    if (data.type === 'run.cancelled') delete data.data.reason;
  }),
  edit('failure_without_error', 'says of a run that has failed no error', (data) => {
    if (data.type === 'run.failed') delete data.data.error;
  }),
  { name: 'events.no_retry', does: 'does not say when to come again', topics: ['streams.short'],
    beginning: '' },
  { name: 'events.retry_at_once', does: 'asks to come again at once', topics: ['streams.short'],
    beginning: 'retry: 0\n' },
  { name: 'events.no_retry_for_replays', topics: ['streams.short'], beginning: '',
    does: 'says in streams of new runs alone when to come again',
    stream: async function* (items, { id }) {
      if (id === 'createRun') yield 'retry: 1000\n';
      yield* items;
    } },
  { name: 'events.failure_as_success', topics: ['streams'],
    does: 'tells a run that has failed as completed',
    stream: async function* (items) {
      for await (const m of items) {
        yield m.data.type === 'run.failed' ? { ...m, event: 'run.completed', data: { ...m.data,
          type: 'run.completed', data: { output: [], usage: m.data.data.usage } } } : m;
      }
    } },
  { name: 'events.replay_differs', topics: ['streams'],
    does: 'tells another time when a stream is replayed',
    stream: async function* (items, { id }) {
      for await (const m of items) {
        yield id === 'createRun' || m.id !== '1' ? m
          : { ...m, data: { ...m.data, created_at: '2020-01-01T00:00:00.000Z' } };
      }
    } },
  { name: 'events.live_begins_at_2', does: 'begins the stream of a new run with event 2',
    topics: ['streams'],
    stream: async function* (items, { id }) {
      for await (const m of items) if (id !== 'createRun' || m.id !== '1') yield m;
    } },
];

const HEADS: Defect[] = ([
  ['plain_text', 'sends streams as text/plain', ['content-type', 'text/plain']],
  ['no_charset', 'says no charset', ['content-type', 'text/event-stream']],
  ['cacheable', 'lets streams be kept', ['cache-control', 'public, max-age=60']],
  ['transformable', 'lets proxies change streams', ['cache-control', 'no-store']],
] as const).map(([name, does, [header, value]]): Defect => ({
  name: `events.${name}`, does, topics: ['streams', 'headers'],
  answer(answered) { if (answered.stream) answered.headers[header] = value; },
}));

export const EVENT_DEFECTS: Defect[] = [
  ...LOST_AND_REPEATED, ...REORDERED_AND_LATE, ...CUT_AND_MERGED, ...FIELDS, ...HEADS];
