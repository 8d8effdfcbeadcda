import t from 'tap';
import { withEvents } from '../../src/models/eventStream.ts';

t.test('events that come in parts, within a letter too, and several at once', async (t) => {
  const bytes = new TextEncoder()
    .encode('data: Größe ✓\n\ndata: none\n\ndata: two\ndata: lines\n\n');
  for (const size of [1, 3, bytes.length]) {
    const body = new ReadableStream({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size) {
          controller.enqueue(bytes.slice(at, at + size));
        }
        controller.close();
      },
    });
    const answer = new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    const changed = await withEvents(answer, (data) => data === 'none' ? undefined : `${data}!`);
    t.equal(await changed.text(), 'data: Größe ✓!\n\ndata: two\ndata: lines!\n\n');
  }
});
