/** A run as a file: saved here, and opened again anywhere, without asking any service. */
import { CatchBoundary } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import type { Run, RunEvent, RunInputItem } from '#client/types.gen.ts';
import { BASE } from '../data/api.ts';
import { askedOf } from '../data/calls.ts';
import { Button, Logo, saveFile, StatusBadge } from '../kit/controls.tsx';
import { useDrop } from '../kit/fields.tsx';
import { Toasts } from '../kit/overlays.tsx';
import { Code, ErrorNote, PageHead, startOf } from '../kit/text.tsx';
import { historyOf } from './history.ts';
import { RunView } from './RunView.tsx';

interface Saved {
  name: string;
  /** When it was opened: the same file may be opened again. */
  opened_ms: number;
  run: Pick<Run, 'id' | 'session_id' | 'source' | 'instructions'>;
  events: RunEvent[];
}

const TITLE = 120;
/** A browser holds no longer text; the log of a run is far smaller. */
const MOST_BYTES = 256 * 1024 * 1024;

/** The first words of what was asked. */
export function promptOf(input: readonly RunInputItem[]): string {
  return startOf(/^.*/.exec(askedOf(input))?.[0] ?? '', TITLE) || 'Run';
}

/** Downloads what `/dashboard/run-file` opens. */
export function saveRunFile(run: Run, events: readonly RunEvent[]): void {
  const text = JSON.stringify({ object: 'run_file', run, events });
  saveFile(new Blob([text], { type: 'application/json' }), `${run.id}.json`);
}

export default function RunFile() {
  const [saved, setSaved] = useState<Saved | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [is_reading, setReading] = useState(false);
  const latest = useRef<File>(undefined);
  const open = async (file: File | undefined) => {
    if (!file) return;
    latest.current = file;
    setReading(true);
    let opened: Saved | null = null;
    let failed: string | null = null;
    try {
      if (file.size > MOST_BYTES) throw new Error('It is too long to be the log of a run.');
      const text = await file.text();
      opened = { name: file.name, opened_ms: performance.now(), ...savedRun(text) };
    } catch (fault) {
      failed = `${file.name}: ${(fault as Error).message}`;
    }
    // Another one may have been dropped while this one was read.
    if (latest.current !== file) return;
    if (opened) setSaved(opened);
    setError(failed);
    setReading(false);
  };
  const [is_over, drag] = useDrop((file) => void open(file));
  return (
    <div className={`flex h-full flex-col ${is_over ? 'bg-accent-soft' : ''}`} {...drag}>
      <header className="flex items-center gap-2 border-b border-line bg-surface px-4 py-2">
        <a href={BASE.href} aria-label="Gatehouse" className="rounded"><Logo /></a>
        <span className="min-w-0 grow truncate text-muted">Run from a file</span>
        <Chooser onChoose={open} is_main={!saved} is_busy={is_reading} />
      </header>
      <main tabIndex={-1} className="flex min-h-0 grow flex-col overflow-y-auto outline-none">
        {error && <div className="p-4 pb-0"><ErrorNote error={{ message: error }} /></div>}
        {saved ? (
          <CatchBoundary getResetKey={() => saved.opened_ms} errorComponent={() => (
            <div className="p-4">
              <ErrorNote error={{
                message: `${saved.name}: Its events are not as those of a run.` }} />
            </div>
          )}><SavedRun key={saved.opened_ms} saved={saved} /></CatchBoundary>
        ) : <Nothing />}
      </main>
      <Toasts />
    </div>
  );
}

/** Whoever has written the file may have put anything in it. */
function SavedRun({ saved: { events, run } }: { saved: Saved }) {
  const history = useMemo(() => historyOf(events)!, [events]);
  return (
    <>
      <PageHead title={promptOf(history.input)}><StatusBadge status={history.status} /></PageHead>
      <RunView {...{ events, run, history }} is_live={false} is_file />
    </>
  );
}

function Chooser({ onChoose, is_main, is_busy }: {
  onChoose: (file: File | undefined) => void; is_main: boolean; is_busy: boolean;
}) {
  return (
    <Button look={is_main ? 'main' : 'plain'} icon="file" is_busy={is_busy} onClick={() => {
      const input = document.createElement('input');
      input.type = 'file';
      input.accept = '.json,.jsonl,.ndjson,.txt,application/json';
      input.onchange = () => onChoose(input.files?.[0]);
      input.click();
    }}>Choose a file</Button>
  );
}

function Nothing() {
  return (
    <div className="mx-auto flex w-full max-w-xl flex-col items-center gap-3 px-4 py-16
      text-center">
      <PageHead title="Drop a run here" />
      <p className="text-muted">
        The page of a run saves it as a file. It is opened in this browser alone: nothing of it is
        sent anywhere. Its events as JSON lines are understood, too, and what the API answers:
      </p>
      <Code copy>{'curl -sS "$GATEHOUSE_BASE_URL/runs/$RUN_ID/events?limit=1000" \\\n'
        + '  -H "Authorization: Bearer $GATEHOUSE_API_KEY" > run.json'}</Code>
    </div>
  );
}

/** Members that are shown as text, by the kind of event; anything else in a file is no fault. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  'reasoning.summary.delta': ['item_id', 'delta'],
  'message.output.delta': ['message_id', 'delta'],
  'message.output.completed': ['message_id'],
  'tool_call.started': ['tool_call_id', 'name'],
  'tool_call.arguments.delta': ['tool_call_id', 'delta'],
  'tool_call.completed': ['tool_call_id', 'name'], 'tool_call.failed': ['tool_call_id', 'name'],
};

interface Whole { events?: unknown; data?: unknown; run?: unknown; sequence_number?: unknown }

/** One JSON value, or an event on each line, as they are copied. Throws an Error. */
function wholeOf(text: string): Whole | null {
  try {
    const whole = JSON.parse(text) as Whole | null;
    return whole?.sequence_number === undefined ? whole : { events: [whole] };
  } catch (error) {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    // Whatever is no JSON, on one line, is told as such.
    if (lines.length < 2) throw error;
    return { events: lines.map((line, at) => eventOf(line, at + 1)) };
  }
}

function eventOf(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new Error(`Line ${number} is no JSON: ${(error as Error).message}`);
  }
}

/** What the text holds. Throws an Error that says what is wrong with it. */
function savedRun(text: string): Pick<Saved, 'run' | 'events'> {
  const whole = wholeOf(text);
  const events = whole?.events ?? whole?.data;
  if (!Array.isArray(events) || events.length === 0) {
    throw new Error('It holds no events of a run.');
  }
  for (const [at, event] of events.entries()) {
    const { type, sequence_number, created_at, data } = event ?? {};
    if (sequence_number !== at + 1) throw new Error(`Event ${at + 1} of the run is not in it.`);
    const is_sound = typeof type === 'string' && !Number.isNaN(Date.parse(created_at))
      && typeof data === 'object' && data !== null
      && (TEXTS[type] ?? []).every((name) => typeof data[name] === 'string');
    if (!is_sound) throw new Error(`Event ${at + 1} is none of a run.`);
  }
  const [{ run_id, session_id }] = events;
  const { source, instructions } = (whole?.run ?? {}) as Partial<Record<keyof Run, unknown>>;
  return {
    events,
    run: { id: String(run_id), session_id: String(session_id),
      source: typeof source === 'string' ? source : '',
      instructions: typeof instructions === 'string' ? instructions : null },
  };
}
