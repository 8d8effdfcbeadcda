/** The threads in which documents are read: one waits for the next, unless it read a large one. */
import { mock } from 'node:test';
import t from 'tap';
import { importDocument } from '../../../src/gateway/openapi/importDocument.ts';

const options = { slug: 'x' };

function documentOf(description: string): string {
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'X', version: '1', description },
    paths: { '/a': { get: { summary: 'A', responses: { 200: { description: 'It.' } } } } } });
}

/** How many threads are started for what is done. */
async function startedFor(work: () => Promise<unknown>): Promise<number> {
  let started = 0;
  const count = () => { started += 1; };
  process.on('worker', count);
  await work().finally(() => process.off('worker', count));
  return started;
}

const read = (description = '') => importDocument({ source: documentOf(description), options });

t.test('a thread reads one document after the other', async (t) => {
  t.equal(await startedFor(read), 1);
  t.equal(await startedFor(read), 0);
  t.equal(await startedFor(async () => t.rejects(
    importDocument({ source: '<html>', options }), { message: /This is HTML/ })), 0);
  t.equal(await startedFor(read), 0, 'also after one that is of no use');
});

t.test('no document waits for another', async (t) => {
  t.equal(await startedFor(() => Promise.all([read(), read(), read()])), 2);
  t.equal(await startedFor(() => Promise.all([read(), read()])), 1, 'one of them has stayed');
});

t.test('what a large document took of memory is given back', async (t) => {
  t.equal(await startedFor(() => read('long '.repeat(300_000))), 0);
  t.equal(await startedFor(read), 1);
});

t.test('a thread that was given up reads nothing more', async (t) => {
  const gone = new AbortController();
  const aborted = importDocument({ source: documentOf(''), options }, gone.signal);
  gone.abort(new Error('gone'));
  await t.rejects(aborted, { message: 'gone' });
  t.equal(await startedFor(read), 1);
});

t.test('what takes too long is said with what helps', async (t) => {
  t.teardown(() => mock.timers.reset());
  for (const [source, says] of [
    [documentOf(''), /^The document takes more than 60 seconds .* not needed, or try again when/],
    ['openapi: 3.1.0', /not needed, give it as JSON, or try again when the machine has less/],
  ] as const) {
    mock.timers.enable({ apis: ['setInterval'] });
    const late = importDocument({ source, options });
    mock.timers.tick(120_000);
    await t.rejects(late, { message: says });
    mock.timers.reset();
  }
});
