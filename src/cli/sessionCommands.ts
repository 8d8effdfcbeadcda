import { clientCommand, group, type AddCommand } from './command.ts';
import { argument, choice, flag } from './inputs.ts';
import {
  ago, metadataText, moment, newestCommand, ONLY_METADATA, printFacts, showCommand,
} from './records.ts';
import { oneLine } from './terminal.ts';
import { TranscriptWriter } from './transcript.ts';

const PATH = '/sessions/{session_id}';
const EXAMPLE_ID = 'ses_01kagz4c8m';
/** Each deletes thousands of runs; a service that is away for so long is told. */
const MORE_REQUESTS = 20;
const IDS = argument<string[]>('<session_id...>', 'the sessions, or the beginnings of their ids');

const list = newestCommand('/sessions', {
  summary: 'list sessions',
  description: 'Lists sessions, the newest first.',
  inputs: {
    status: choice('--status <status>', 'only those', ['active', 'archived']),
    query: flag('--query <words>', 'only those with these words in their title'),
    metadata: ONLY_METADATA,
  },
  example: 'gatehouse sessions list --status active',
  nothing: 'such sessions',
  headings: ['ID', 'STATUS', 'AGE', 'TITLE'],
  row: ({ id, status, active_run_id, created_at, title }) => [id,
    active_run_id === null ? status : 'running', ago(created_at), oneLine(title ?? '-', 80)],
});

const show = showCommand(clientCommand, PATH, {
  summary: 'show a session and what was said in it',
  description: 'Shows a session with its transcript; of a long one the newest messages.',
  id: argument('<session_id>', 'the session, or the beginning of its id'),
  example: `gatehouse sessions show ${EXAMPLE_ID}`,
  print({ terminal }, session) {
    const { status, created_at, updated_at, active_run_id, metadata } = session;
    printFacts(terminal, session.title ?? 'Untitled', {
      id: session.id, status, created: moment(created_at), changed: moment(updated_at),
      running: active_run_id, metadata: metadataText(metadata),
    });
    if (session.messages_next_cursor !== null) {
      terminal.err('Earlier messages are left out: --json has the cursor for them.\n');
    }
    const transcript = new TranscriptWriter(terminal);
    for (const message of session.messages) transcript.message(message);
  },
});

const archive = statusCommand('archive', 'archived', 'take no more runs in sessions',
  'Archives sessions: they keep their transcripts and open runs, and take no new ones.');
const activate = statusCommand('activate', 'active', 'take runs in archived sessions again',
  'Has archived sessions take runs again.');

const remove = clientCommand('delete', {
  summary: 'delete sessions with all they hold',
  description: 'Deletes sessions for good, with their messages, runs, events and records of calls.'
    + ' One with an open run is refused. The audit log stays.',
  inputs: { ids: IDS },
  example: `gatehouse sessions delete ${EXAMPLE_ID}`,
  async run({ client, terminal }, { ids }) {
    for (const given of ids) {
      const id = await client.wholeId('session_id', given);
      await client.request('DELETE', PATH,
        { id, doing: `deleting ${id}`, unavailable_repeats: MORE_REQUESTS });
      terminal.out(`${id} is deleted.\n`);
    }
  },
});

function statusCommand(
  name: string, status: 'archived' | 'active', summary: string, description: string): AddCommand {
  return clientCommand(name, {
    summary, description,
    inputs: { ids: IDS },
    example: `gatehouse sessions ${name} ${EXAMPLE_ID}`,
    async run({ client, terminal }, { ids }) {
      for (const id of ids) {
        const session = await client.request('PATCH', PATH, { id, body: { status } });
        terminal.out(`${session.id} is ${session.status}.\n`);
      }
    },
  });
}

export const addSessionCommands = group('sessions', {
  summary: 'list, show, archive and delete sessions',
  description: 'Lists, shows, archives and deletes sessions, with an api key.',
  example: 'gatehouse sessions list',
}, [list, show, archive, activate, remove]);
