/** The readers of test/bench/subscribers.ts in a process of their own, as on another node. */
import type { RunReference } from '../../src/runs/runEvents.ts';
import { createLog } from '../../src/log.ts';
import { openReading } from './product.ts';
import { startReaders } from './subscribersReaders.ts';

type Message =
  | { ask: 'start'; runs: RunReference[]; count: number }
  | { ask: 'arrived'; events: number }
  | { ask: 'stop' };

const reading = await openReading(process.argv[2]!, createLog('warn'));
let readers: Awaited<ReturnType<typeof startReaders>> | undefined;

process.on('message', async (message: Message) => {
  if (message.ask === 'start') {
    readers = await startReaders(reading, message.runs, message.count);
    process.send!('started');
  } else if (message.ask === 'arrived') {
    await readers!.arrived(message.events);
    process.send!('arrived');
  } else {
    const times = await readers!.stop();
    await reading.close();
    process.send!(times);
  }
});
process.on('disconnect', () => process.exit(0));
