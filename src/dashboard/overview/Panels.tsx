/** The parts of the overview: charts, and lists of what stands out. */
import { Link } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import type { Finding, Overview as Numbers } from '#client/types.gen.ts';
import { useWorkspaceId } from '../data/session.ts';
import { BarChart, type Bars } from '../kit/BarChart.tsx';
import { Badge, StatusBadge, type Mark, type Tone } from '../kit/controls.tsx';
import { Code, counted, countText } from '../kit/text.tsx';
import { durationText, Time } from '../kit/time.tsx';

const DAY_S = 86_400;
/** More could not be told apart; the others are put together. */
const MODELS_SHOWN = 5;
const WORKERS_SHOWN = 12;
/** Ids begin with the time: by their ends they are told apart. */
const ID_END = 8;

/** A part of the screen with its name; `empty` says why there is nothing in it. */
export function Panel({ title, says, empty, is_flush = false, children }: {
  title: string; says?: ReactNode; empty?: string | false; is_flush?: boolean; children: ReactNode;
}) {
  return (
    <section aria-label={title} className="panel min-w-0">
      <h2 className="px-3 pt-3 pb-2">{title}</h2>
      <div className={is_flush ? 'border-t border-line' : 'px-3 pb-3'}>
        {says && <p className="mb-2 text-sm text-muted">{says}</p>}
        {empty ? <p className="text-muted">{empty}</p> : children}
      </div>
    </section>
  );
}

export function Charts({ numbers }: { numbers: Numbers }) {
  const { buckets, bucket_s, tokens } = numbers;
  const runs = useMemo(() => ({
    instants_ms: buckets.map(({ from }) => Date.parse(from)),
    bars: ([['completed', 'good'], ['failed', 'bad'], ['cancelled', 'plain'], ['open', 'accent']
    ] as const).map(([label, tone]): Bars => (
      { label, tone, values: buckets.map((bucket) => bucket[label]) })),
  }), [buckets]);
  const used = useMemo(() => tokenBars(tokens, buckets), [tokens, buckets]);
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <div className="panel min-w-0 p-3"><BarChart title="Runs" bar_s={bucket_s} {...runs} /></div>
      <div className="panel min-w-0 p-3">
        <BarChart title="Tokens by day" bar_s={DAY_S} {...used} />
      </div>
    </div>
  );
}

/** Every day of the window, also those without a token. */
function tokenBars(tokens: Numbers['tokens'], buckets: Numbers['buckets']) {
  const dayOf = (instant: string) => instant.slice(0, 10);
  const days = [...new Set(buckets.map(({ from }) => dayOf(from)))];
  const totals = new Map<string | null, number>();
  const totalOf = (one: Numbers['tokens'][number]) => one.input_tokens + one.output_tokens;
  for (const one of tokens) {
    totals.set(one.model, (totals.get(one.model) ?? 0) + totalOf(one));
  }
  const models = [...totals].filter(([model]) => model !== null)
    .sort(([, one], [, other]) => other - one).slice(0, MODELS_SHOWN).map(([model]) => model!);
  const sumOf = (day: string, holds: (model: string | null) => boolean) => tokens
    .filter((one) => one.day === day && holds(one.model))
    .reduce((sum, one) => sum + totalOf(one), 0);
  const bars = models.map((model, at): Bars => ({
    label: model, tone: at + 1 as Bars['tone'],
    values: days.map((day) => sumOf(day, (one) => one === model)),
  }));
  if (totals.size > models.length) {
    const isOther = (model: string | null) => model === null || !models.includes(model);
    bars.push({ label: 'others', tone: 'plain', values: days.map((day) => sumOf(day, isOther)) });
  }
  return { instants_ms: days.map((day) => Date.parse(day)), bars };
}

/** The way to the runs of this workspace that these filters leave. */
export function RunsLink({ search, children }: {
  search: Readonly<Record<string, string>>; children: ReactNode;
}) {
  const workspace_id = useWorkspaceId();
  return (
    <Link to="/w/$workspace_id/runs" params={{ workspace_id }} search={search as never}
      className="link">{children}</Link>
  );
}

export function Failures({ numbers: { failures, since }, is_all }: {
  numbers: Numbers; is_all: boolean;
}) {
  const most = failures[0]?.runs ?? 1;
  return (
    <Panel title="Failures by code" empty={failures.length === 0 && 'No run has failed.'}
      says={is_all ? 'Choose this workspace to see the runs of a code.' : undefined}>
      <ul className="flex flex-col gap-2">
        {failures.map(({ error_code, runs }) => (
          <li key={error_code}>
            <div className="flex items-baseline gap-3">
              <span className="grow truncate font-mono text-sm">
                {is_all ? error_code : (
                  <RunsLink search={{ status: 'failed', error_code, created_after: since }}>
                    {error_code}
                  </RunsLink>
                )}
              </span>
              <span className="tabular-nums">{countText(runs)}</span>
            </div>
            <div aria-hidden="true" className="mt-1 h-1 rounded-full bg-raised">
              <div className="bar h-1 rounded-full bg-bad"
                style={{ width: `${100 * runs / most}%` }} />
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

export function Slowest({ numbers: { slowest } }: { numbers: Numbers }) {
  return (
    <Panel title="Slowest runs" empty={slowest.length === 0 && 'No run has ended.'}>
      <ul className="flex flex-col gap-2">
        {slowest.map(({ id, workspace_id, status, model, duration_s }) => (
          <li key={id} className="flex items-center gap-3">
            <StatusBadge status={status} />
            <Link to="/w/$workspace_id/runs/$run_id" params={{ workspace_id, run_id: id }}
              preload={false} title={id} className="link min-w-0 grow truncate font-mono text-sm">
              {`…${id.slice(-ID_END)}`}
            </Link>
            <span className="max-w-30 truncate text-muted" title={model}>{model}</span>
            <span className="shrink-0 tabular-nums">{secondsText(duration_s)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

export function Workers({ numbers: { workers } }: { numbers: Numbers }) {
  return (
    <Panel title="Workers" empty={workers.length === 0 && 'None: start a node that executes runs.'}>
      <ul className="flex flex-col gap-2">
        {workers.slice(0, WORKERS_SHOWN).map(({ id, host, alive, started_at, running_runs }) => (
          <li key={id} className="flex items-center gap-3" title={id}>
            <Badge tone={alive ? 'good' : 'bad'} mark={alive ? 'check' : 'cross'}>
              {alive ? 'alive' : 'gone'}
            </Badge>
            <span className="min-w-0 grow truncate">{host}</span>
            <span className="tabular-nums">{counted(running_runs, 'run')}</span>
            <span className="shrink-0 text-muted">started <Time at={started_at} /></span>
          </li>
        ))}
        {workers.length > WORKERS_SHOWN && (
          <li className="text-muted">… and {countText(workers.length - WORKERS_SHOWN)} more</li>
        )}
      </ul>
    </Panel>
  );
}

export function Findings({ findings }: { findings: readonly Finding[] }) {
  return (
    <Panel title="Doctor" says={<>All checks, on the machine of the service:</>}>
      <Code copy>bin/gatehouse doctor</Code>
      <ul className="mt-3 flex flex-col gap-2">
        {findings.map(({ check, status, found }) => (
          <li key={check} className="flex items-start gap-3">
            <span className="flex h-5 w-20 shrink-0 items-center">
              <FindingBadge status={status} />
            </span>
            <span className="min-w-0 wrap-anywhere">
              {check}<span className="text-muted">{` – ${found}`}</span>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const FINDINGS: Readonly<Record<string, readonly [Tone, Mark]>> = {
  ok: ['good', 'check'], warning: ['warn', 'wait'], failed: ['bad', 'cross'],
};

export function FindingBadge({ status }: { status: string }) {
  const [tone, mark] = FINDINGS[status] ?? ['plain', 'bar'];
  return <Badge tone={tone} mark={mark}>{status}</Badge>;
}

/** A time of the overview; a dash where there is none. */
export function secondsText(seconds: number | null): string {
  return seconds === null ? '–' : durationText(seconds * 1_000);
}
