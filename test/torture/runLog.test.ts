/** The checker finds what is wrong with a log: each subtest breaks a sound one in one way. */
import t from 'tap';
import { faultsOfRun, type LoggedEvent, type LoggedRun } from '../support/runLog.ts';
import { faultsOfWrites, type LoggedWrite } from '../support/writeFaults.ts';

const CALL = { tool_call_id: 'call_1', name: 'lab.echo' };
const ARGUMENTS = { action: 'lab.echo' };
const message = {
  type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'ab' }],
};

/** A run that was taken over once, made a call and said "ab". */
function sound(): LoggedRun {
  const events: [string, object][] = [
    ['run.created', {}],
    ['run.started', { attempt: 1 }],
    ['message.output.delta', { message_id: 'msg_0', delta: 'lost' }],
    ['run.started', { attempt: 2 }],
    ['tool_call.started', CALL],
    ['tool_call.arguments.delta', { tool_call_id: 'call_1', delta: '{"action":' }],
    ['tool_call.arguments.delta', { tool_call_id: 'call_1', delta: '"lab.echo"}' }],
    ['tool_call.completed', { ...CALL, arguments: ARGUMENTS, result: 1 }],
    ['message.output.delta', { message_id: 'msg_1', delta: 'a' }],
    ['message.output.delta', { message_id: 'msg_1', delta: 'b' }],
    ['message.output.completed', { message_id: 'msg_1', message }],
    ['run.completed', { output: [message] }],
  ];
  const parts = [
    { role: 'user', content: [{ type: 'input_text', text: 'x' }] },
    { role: 'assistant', content: [{ type: 'tool_call', ...CALL, arguments: ARGUMENTS }] },
    { role: 'tool', content: [{ type: 'tool_result', ...CALL, result: 1 }] },
    { role: 'assistant', content: message.content },
  ];
  return {
    status: 'completed', last_seq: events.length, attempt: 2, output: [message],
    events: events.map(([type, data], index) => ({ seq: index + 1, type, data })),
    messages: parts.map((part, index) => ({ ...part, position: index + 1 })),
  };
}

/** Numbers the events anew, so that their order is what is wrong. */
function renumber(run: LoggedRun, events: LoggedEvent[]): void {
  run.events = events.map((event, index) => ({ ...event, seq: index + 1 }));
  run.last_seq = events.length;
}

t.test('a sound log', async (t) => t.strictSame(faultsOfRun(sound()), []));

const BROKEN: Record<string, { break: (run: LoggedRun) => void; says: RegExp }> = {
  'a gap': { break: (run) => run.events.splice(2, 1), says: /^numbers 1,2,4/ },
  'a number that came twice': { break: (run) => { run.events[3]!.seq = 3; }, says: /^numbers/ },
  'an event that was not counted': { break: (run) => { run.last_seq -= 1; }, says: /^last_seq/ },
  'no end': { break: (run) => renumber(run, run.events.slice(0, -1)), says: /events: none/ },
  'two ends': {
    break: (run) => renumber(run, [...run.events, run.events.at(-1)!]), says: /events: run/,
  },
  'an end that is not the last': {
    break: (run) => renumber(run, [run.events[0]!, run.events.at(-1)!, ...run.events.slice(1, -1)]),
    says: /^ends with/,
  },
  'an attempt that never began': { break: (run) => { run.attempt = 3; }, says: /^starts 1,2 in 3/ },
  'a call without an end': {
    break: (run) => renumber(run, run.events.toSpliced(7, 1)), says: /^call_1 is open/,
  },
  'a call that ended twice': {
    break: (run) => renumber(run, run.events.toSpliced(8, 0, run.events[7]!)), says: /not open/,
  },
  'an event of a woken zombie': {
    break: (run) => renumber(run, run.events.toSpliced(4, 0, run.events[2]!)),
    says: /belongs to attempt 1, and 2 has begun/,
  },
  'other arguments than were streamed': {
    break: (run) => { run.events[6]!.data.delta = '"lab.other"}'; }, says: /other arguments/,
  },
  'another text than was streamed': {
    break: (run) => renumber(run, run.events.toSpliced(9, 1)), says: /another text/,
  },
  'another output than the run\'s': { break: (run) => { run.output = []; }, says: /its output/ },
  'a hole in the transcript': {
    break: (run) => run.messages.splice(1, 1), says: /^messages 1,3,4/,
  },
  'a call that was done twice': {
    break: (run) => {
      run.messages = run.messages.toSpliced(3, 0, run.messages[2]!)
        .map((row, index) => ({ ...row, position: index + 1 }));
    },
    says: /two results/,
  },
  'a result that only readers saw': {
    break: (run) => { run.messages = run.messages.slice(0, 2); }, says: /lacks its result/,
  },
};

for (const [name, { break: breakIt, says }] of Object.entries(BROKEN)) {
  t.test(name, async (t) => {
    const run = sound();
    breakIt(run);
    t.match(faultsOfRun(run).find((fault) => says.test(fault)), says);
  });
}

/** What is recorded of the call of the sound run, which names it. */
const WRITE: LoggedWrite = {
  tool_call_id: 'call_1', invocation_id: 'inv_1', status: 'completed', error: null };
const END = 7;

function written(): LoggedRun {
  const run = sound();
  run.events[END]!.data.invocation_id = 'inv_1';
  return run;
}

const UNTRUE: Record<string, {
  break?: (run: LoggedRun) => void; write?: Partial<LoggedWrite>; says: RegExp;
}> = {
  'an outcome that came afterwards': {
    write: { status: 'failed', error: { code: 'outcome_unknown' } },
    says: /inv_1 says failed by outcome_unknown, the (log|transcript) completed$/,
  },
  'a call told as if it had not left': {
    break: (run) => {
      run.events[END] = { ...run.events[END]!, type: 'tool_call.failed',
        data: { ...CALL, error: { code: 'cancelled' } } };
      run.messages.splice(2, 1);
    },
    says: /the log failed by cancelled$/,
  },
  'no record': { write: { status: null }, says: /inv_1 says nothing/ },
  'another record': { write: { invocation_id: 'inv_2' }, says: /the log names inv_1, not inv_2/ },
  'no result for the next run': {
    break: (run) => { run.messages.splice(2, 1); }, says: /the transcript 0$/,
  },
  'another result for the next run': {
    break: (run) => { run.messages[2]!.content[0]!.result = 2; },
    says: /another result than the log/,
  },
};

t.test('a write of which all say the same', async (t) =>
  t.strictSame(faultsOfWrites(written(), [WRITE]), []));

for (const [name, { break: breakIt, write, says }] of Object.entries(UNTRUE)) {
  t.test(`of a write, ${name}`, async (t) => {
    const run = written();
    breakIt?.(run);
    const faults = faultsOfWrites(run, [{ ...WRITE, ...write }]);
    t.match(faults.find((fault) => says.test(fault)), says);
  });
}
