/** The live console: a session, a run in it, and the run's events as they come. */
import { bindKeyField, keepIds } from './key.js';
import { API, ask, readEvents, Refused } from './runEvents.js';

const TERMINAL = /^run\.(completed|failed|cancelled)$/;
const RETRIES = 8;
const RETRY_MS = 1_000;

/** @type {<T extends HTMLElement>(id: string) => T} */
const element = (id) => /** @type {any} */ (document.getElementById(id));
/** @type {(id: string) => HTMLButtonElement} */
const button = (id) => element(id);
const [run, pause, resume] = [button('run'), button('pause'), button('resume')];
const [cancel, fresh] = [button('cancel'), button('fresh')];
const prompt = /** @type {HTMLTextAreaElement} */ (element('prompt'));
const key = bindKeyField();

/** What is shown: the session that goes on, and the run with the last event that was seen. */
const shown = {
  session_id: '',
  run_id: '',
  last: 0,
  hasEnded: true,
  /** @type {AbortController | null} */
  reading: null,
  /** Each message so far. @type {Map<string, { text: string, isWhole: boolean }>} */
  messages: new Map(),
};

function tell(/** @type {string} */ words, isFault = false) {
  const state = element('state');
  state.textContent = words;
  state.classList.toggle('fault', isFault);
}

function showButtons() {
  const isReading = shown.reading !== null;
  run.disabled = isReading;
  pause.disabled = !isReading;
  resume.disabled = isReading || shown.hasEnded;
  cancel.disabled = shown.hasEnded || shown.run_id === '';
  fresh.disabled = isReading || shown.session_id === '';
}

/** Shows an event, once. */
function show(/** @type {any} */ event) {
  if (event.sequence_number <= shown.last) return;
  shown.last = event.sequence_number;
  shown.run_id = event.run_id;
  if (shown.last === 1) keepIds({ session_id: event.session_id, run_id: event.run_id });
  shown.hasEnded = TERMINAL.test(event.type);
  showText(event);
  const item = document.createElement('li');
  const row = document.createElement('details');
  const head = document.createElement('summary');
  const body = document.createElement('pre');
  for (const [name, text] of [['number', String(event.sequence_number)], ['kind', event.type],
    ['digest', digest(event)], ['time', event.created_at.slice(11, 23)]]) {
    const part = document.createElement('span');
    part.className = name ?? '';
    part.textContent = text;
    head.append(part, ' ');
  }
  body.textContent = JSON.stringify(event, null, 2);
  body.tabIndex = 0;
  row.append(head, body);
  item.append(row);
  item.className = event.type.split('.').at(-1);
  element('events').append(item);
  const words = shown.hasEnded ? `${event.type} after ${shown.last} events.`
    : `${shown.run_id} is going on: event ${shown.last}.`;
  tell(words, event.type === 'run.failed');
  showButtons();
}

/**
 * Deltas make up the answer; a message that completes replaces what they said. Of one that never
 * does they are void: a step that is tried again says it anew, as another message.
 */
function showText({ type, data }) {
  const { messages } = shown;
  if (type === 'message.output.delta') {
    if (!messages.has(data.message_id)) dropParts();
    const before = messages.get(data.message_id)?.text ?? '';
    messages.set(data.message_id, { text: before + data.delta, isWhole: false });
  } else if (type === 'message.output.completed') {
    messages.set(data.message_id, { isWhole: true, text: data.message.content
      .map((/** @type {any} */ part) => part.text ?? '').join('') });
  } else if (TERMINAL.test(type)) {
    dropParts();
  } else {
    return;
  }
  element('answer').textContent = [...messages.values()].map(({ text }) => text).join('\n\n');
}

/** Leaves out the messages that are not whole. */
function dropParts() {
  for (const [id, { isWhole }] of shown.messages) if (!isWhole) shown.messages.delete(id);
}

/** A few words about an event. */
function digest({ data }) {
  const words = data.delta ?? data.name ?? data.error?.message ?? data.error ?? data.reason
    ?? data.model ?? data.status ?? (data.usage ? `${data.usage.output_tokens} tokens out` : '');
  return typeof words === 'string' ? words : JSON.stringify(words);
}

/** Follows the run to its end, over broken connections; `begin` opens the first stream. */
async function follow(/** @type {(signal: AbortSignal) => Promise<Response>} */ begin) {
  const reading = shown.reading = new AbortController();
  showButtons();
  let open = begin;
  try {
    for (let tries = 0; ; tries++) {
      const before = shown.last;
      try {
        await readEvents(await open(reading.signal), show);
      } catch (error) {
        const isFinal = error instanceof Refused && error.status < 500 || shown.run_id === '';
        if (isFinal || reading.signal.aborted || tries >= RETRIES) throw error;
      }
      if (shown.hasEnded) return;
      if (shown.last > before) tries = 0;
      if (tries >= RETRIES) throw new Error('The stream ends again and again.');
      tell(`The connection broke after event ${shown.last}; reading on.`);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      open = eventsAfterLast;
    }
  } catch (error) {
    if (reading.signal.aborted) tell(`Stopped after event ${shown.last}; the run goes on.`);
    else tell(error instanceof Error ? error.message : String(error), true);
  } finally {
    shown.reading = null;
    showButtons();
  }
}

function eventsAfterLast(/** @type {AbortSignal} */ signal) {
  return ask(key.value.trim(), `runs/${shown.run_id}/events?starting_after=${shown.last}`,
    { signal, headers: { Accept: 'text/event-stream' } });
}

async function start() {
  if (key.value.trim() === '') {
    tell('Paste an api key first: the service prints one at its first start.', true);
    key.focus();
    return;
  }
  Object.assign(shown, { run_id: '', last: 0, hasEnded: false, messages: new Map() });
  element('events').replaceChildren();
  element('answer').replaceChildren();
  const json = {
    input: [{ role: 'user', content: [{ type: 'input_text', text: prompt.value }] }], stream: true,
  };
  tell('Sending the prompt.');
  await follow(async (signal) => {
    shown.session_id ||= (await (await ask(key.value.trim(), 'sessions', {
      signal, json: { title: 'Live console' },
    })).json()).id;
    showCurl(json);
    return await ask(key.value.trim(), `sessions/${shown.session_id}/runs`,
      { signal, json, headers: { Accept: 'text/event-stream' } });
  });
  // Refused before it began: there is nothing to go on with.
  if (shown.run_id === '') shown.hasEnded = true;
  showButtons();
}

function showCurl(/** @type {unknown} */ json) {
  const body = JSON.stringify(json).replaceAll("'", "'\\''");
  element('curl').textContent = `curl -N ${new URL(`sessions/${shown.session_id}/runs`, API)} \\
  -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d '${body}'`;
}

element('run-form').addEventListener('submit', (event) => {
  event.preventDefault();
  start();
});
pause.addEventListener('click', () => shown.reading?.abort());
resume.addEventListener('click', () => follow(eventsAfterLast));
cancel.addEventListener('click', async () => {
  try {
    await ask(key.value.trim(), `runs/${shown.run_id}/cancel`, { method: 'POST' });
    if (shown.reading === null) await follow(eventsAfterLast);
  } catch (error) {
    tell(String(/** @type {Error} */ (error).message), true);
  }
});
fresh.addEventListener('click', () => {
  shown.session_id = '';
  showButtons();
  tell('The next prompt begins a new session.');
});
for (const example of document.querySelectorAll('button.example')) {
  example.addEventListener('click', () => {
    prompt.value = example.textContent ?? '';
    prompt.focus();
  });
}
