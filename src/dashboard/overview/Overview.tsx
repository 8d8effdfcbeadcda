/** How the service is doing, or this workspace of it: numbers, and what waits for a person. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import {
  getOverviewOptions, listApprovalsOptions, listRunsOptions,
} from '#client/@tanstack/react-query.gen.ts';
import type { Overview as Numbers } from '#client/types.gen.ts';
import { asApiError, SERVICE } from '../data/api.ts';
import { useWorkspaceId } from '../data/session.ts';
import { Badge, Icon, Spinner, StatusBadge } from '../kit/controls.tsx';
import { Name } from '../kit/exact.tsx';
import { Field, Select } from '../kit/fields.tsx';
import { useFilters } from '../kit/filters.tsx';
import { Code, counted, countText, ErrorNote, PageHead, Stat } from '../kit/text.tsx';
import { Time } from '../kit/time.tsx';
import {
  Charts, Failures, FindingBadge, Findings, Panel, secondsText, RunsLink, Slowest, Workers,
} from './Panels.tsx';

const PERCENT = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
const REFRESH_MS = 5_000;
const WINDOWS = [
  { value: '', label: '24 hours' }, { value: '72', label: '3 days' },
  { value: '168', label: '7 days' }, { value: '720', label: '30 days' },
];
const SCOPES = [
  { value: '', label: 'This workspace' }, { value: 'all', label: 'All workspaces' },
];
const SEEN_WINDOWS: ReadonlySet<string | undefined> = new Set(WINDOWS.map(({ value }) => value));

export default function Overview() {
  const workspace_id = useWorkspaceId();
  const [search, change] = useFilters();
  const is_all = search.scope === 'all';
  const hours = SEEN_WINDOWS.has(search.hours) ? search.hours! : '';
  const { data, error, refetch, isPlaceholderData: is_before } = useQuery({
    ...getOverviewOptions({ query: {
      ...(is_all ? {} : { workspace_id }), hours: Number(hours || 24),
    } }),
    refetchInterval: REFRESH_MS, placeholderData: keepPreviousData,
  });
  const first_run = useQuery({ ...listRunsOptions({ query: { limit: 1 } }), staleTime: 0,
    // Once there is one, there always is.
    refetchInterval: ({ state }) => (state.data?.data.length === 0 ? REFRESH_MS : false) });
  const is_fresh = first_run.data?.data.length === 0 && !is_all;
  return (
    <>
      <PageHead title="Overview">
        {/* Until other numbers are there, those of before stay, and are said to be that. */}
        {is_before && (
          <p role="status" className="flex items-center gap-2 text-muted max-sm:order-last">
            <Spinner />Counting …
          </p>
        )}
        <div className="w-40 max-sm:w-[calc(60%-0.5rem)]">
          <Field label="Of" label_hidden>
            <Select choices={SCOPES} value={is_all ? 'all' : ''}
              onChange={({ target }) => change({ scope: target.value })} />
          </Field>
        </div>
        <div className="w-28 max-sm:w-2/5">
          <Field label="Time" label_hidden>
            <Select choices={WINDOWS} value={hours}
              onChange={({ target }) => change({ hours: target.value })} />
          </Field>
        </div>
      </PageHead>
      <div className="flex flex-col gap-4 px-4 pb-6">
        {error && <ErrorNote error={asApiError(error)} onRetry={() => void refetch()} />}
        {is_fresh && <FirstSteps />}
        {data ? <Board numbers={data} is_before={is_before} /> : !error && (
          <p role="status" className="flex items-center gap-2 text-muted"><Spinner />Loading …</p>
        )}
      </div>
    </>
  );
}

function Board({ numbers, is_before }: { numbers: Numbers; is_before: boolean }) {
  // Of what the numbers are, whatever is chosen since.
  const is_all = numbers.workspace_id === null;
  // On paper a block: in a flex box Firefox puts what follows a grid that goes on on the next page
  // over the grid's end.
  return (
    <div aria-busy={is_before} className={`flex flex-col gap-4 print:block print:space-y-4
      ${is_before ? 'opacity-50' : ''}`}>
      <Figures numbers={numbers} is_all={is_all} />
      <Attention numbers={numbers} is_all={is_all} />
      <Charts numbers={numbers} />
      <div className="grid items-start gap-4 lg:grid-cols-2 min-[112.5rem]:grid-cols-4">
        <Failures numbers={numbers} is_all={is_all} />
        <Slowest numbers={numbers} />
        <Workers numbers={numbers} />
        <Findings findings={numbers.findings} />
      </div>
      <p className="text-sm text-muted">
        Counted <Time at={numbers.made_at} />, of runs created since{' '}
        <Time at={numbers.since} as="local" />.
      </p>
    </div>
  );
}

function Figures({ numbers: { open_runs, buckets, durations, waits, workers, since }, is_all }: {
  numbers: Numbers; is_all: boolean;
}) {
  const { queued, running, queue_age_s } = open_runs;
  const sum = (of: 'completed' | 'failed') => buckets.reduce((all, one) => all + one[of], 0);
  const failed = sum('failed');
  const ended = sum('completed') + failed;
  const alive = workers.filter((worker) => worker.alive);
  const hosts = new Set(alive.map(({ host }) => host)).size;
  const tails = ({ runs: count, p90_s, p99_s }: Numbers['waits']) => (count === 0 ? 'of no run'
    : `p90 ${secondsText(p90_s)} · p99 ${secondsText(p99_s)}`.replaceAll(/(?<!·) /g, '\u00a0'));
  const runs = (words: string, search: Record<string, string>) => (is_all ? words
    : <RunsLink search={search}>{words}</RunsLink>);
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(8.5rem,1fr))] gap-3 md:grid-cols-3
      xl:grid-cols-6">
      <Stat label="Waiting runs" value={runs(countText(queued), { status: 'queued' })}
        says={queue_age_s > 0 ? `the oldest for ${secondsText(queue_age_s)}` : 'none is held up'} />
      <Stat label="Running" value={runs(countText(running), { status: 'running' })}
        says={`on ${counted(alive.length, 'worker')}`} />
      <Stat label="Failed" value={ended === 0 ? '–' : PERCENT.format(failed / ended)}
        says={runs(`${countText(failed)} of ${countText(ended)} ended`,
          { status: 'failed', created_after: since })} />
      <Stat label="Duration, median" value={secondsText(durations.p50_s)}
        says={tails(durations)} />
      <Stat label="Wait to start, median" value={secondsText(waits.p50_s)} says={tails(waits)} />
      <Stat label="Workers alive" value={countText(alive.length)}
        says={hosts === 0 ? 'no run goes on' : `on ${counted(hosts, 'machine')}`} />
    </div>
  );
}

/** What a person has to do, with the way there. */
function Attention({ numbers: { pending_approvals, connections, findings }, is_all }: {
  numbers: Numbers; is_all: boolean;
}) {
  const here = useWorkspaceId();
  const { data: newest } = useQuery({ enabled: is_all && pending_approvals > 0,
    ...listApprovalsOptions({ query: { status: 'pending', limit: 1 } }),
    refetchInterval: REFRESH_MS });
  // An inbox has the approvals of one workspace, which may have none of them.
  const there = (is_all && newest?.data[0]?.workspace_id) || here;
  const more = connections.needs_reconnect + connections.pending - connections.first.length;
  // Connections are told of one by one, with the way to them.
  const faults = findings.filter(({ check, status }) => ['failed', 'warning'].includes(status)
    && !(check === 'connections' && connections.first.length > 0));
  const is_quiet = pending_approvals === 0 && connections.first.length === 0
    && faults.length === 0;
  if (is_quiet) {
    return (
      <p className="panel flex items-center gap-2 px-3 py-2.5">
        <span className="text-good"><Icon name="check" /></span>
        Nothing waits for a person, and nothing is wrong with the service.
      </p>
    );
  }
  return (
    <Panel title="Waits for a person" is_flush>
      <ul className="divide-y divide-line">
        {pending_approvals > 0 && (
          <Line badge={<StatusBadge status="pending" />}>
            <Link to="/w/$workspace_id/approvals" params={{ workspace_id: there }} className="link">
              {pending_approvals === 1 ? '1 call waits'
                : `${countText(pending_approvals)} calls wait`}
              {' for approval'}{there !== here && ', the newest in another workspace'}
            </Link>
          </Line>
        )}
        {connections.first.map(({ id, workspace_id, integration, name, status, status_reason }) => (
          <Line key={id} badge={
            <Badge tone="warn" mark="wait">{status.replaceAll('_', ' ')}</Badge>
          }>
            <Link to="/w/$workspace_id/integrations/$slug" search={{ tab: 'connections' } as never}
              params={{ workspace_id, slug: integration }} className="link">
              Connection <Name>{name}</Name>{` of ${integration}`}
            </Link>
            {status_reason && <p className="text-muted"><Name>{status_reason}</Name></p>}
          </Line>
        ))}
        {more > 0 && <Line>{`… and ${counted(more, 'other connection')}`}</Line>}
        {faults.map((finding) => (
          <Line key={finding.check} badge={<FindingBadge status={finding.status} />}>
            <span className="font-medium">{finding.check}</span>{`: ${finding.found}`}
            {finding.advice && (
              <p className="whitespace-pre-wrap text-muted">{finding.advice}</p>
            )}
          </Line>
        ))}
      </ul>
    </Panel>
  );
}

function Line({ badge, children }: { badge?: ReactNode; children: ReactNode }) {
  return (
    <li className="flex items-start gap-3 px-3 py-2 max-sm:flex-col max-sm:gap-1">
      {badge && <span className="flex h-5 w-34 shrink-0 items-center">{badge}</span>}
      <div className="min-w-0 wrap-anywhere">{children}</div>
    </li>
  );
}

/** The way from a new service to an agent that works with a system of one's own. */
function FirstSteps() {
  const workspace_id = useWorkspaceId();
  const here = { workspace_id };
  const api = new URL('v1', SERVICE).href;
  return (
    <section aria-labelledby="first-steps" className="panel flex flex-col gap-4 p-4">
      <div>
        <h2 id="first-steps">No run yet: three steps</h2>
        <p className="text-muted">
          Enter the commands where the service was started, or do the same here.
        </p>
      </div>
      <ol className="grid gap-4 xl:grid-cols-3">
        <Step title="1. Make an api key" command={`API=${api}
KEY=$(bin/gatehouse keys create --name first \\
  --workspace ${workspace_id})`}>
          Applications show it with each request. Or on{' '}
          <Link to="/w/$workspace_id/keys" params={here} className="link underline">API keys</Link>.
        </Step>
        <Step title="2. Send a first request" command={FIRST_REQUEST}>
          It makes a session and runs a prompt in it. Or on{' '}
          <Link to="/w/$workspace_id/sessions" params={here} className="link underline">
            Sessions
          </Link>.
        </Step>
        <Step title="3. Connect an integration" command={`bin/gatehouse integrations add tickets \\
  --document examples/internal-api/openapi.json \\
  --api-url http://127.0.0.1:4020 \\
  --allow 127.0.0.1:4020`}>
          By its OpenAPI document, a file or an address. Or on{' '}
          <Link to="/w/$workspace_id/integrations" params={here} className="link underline">
            Integrations
          </Link>.
        </Step>
      </ol>
    </section>
  );
}

/** Goes on in the shell of the step before. */
const FIRST_REQUEST = `SESSION=$(curl -sS "$API/sessions" -X POST \\
  -H "Authorization: Bearer $KEY" | grep -o 'ses_[0-9a-z]*')
curl -sS "$API/sessions/$SESSION/runs" \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' -d '{"wait": true,
  "input": [{"role": "user", "content": [{"type": "input_text",
    "text": "Which sessions do I have?"}]}]}'`;

function Step({ title, command, children }: {
  title: string; command: string; children: ReactNode;
}) {
  return (
    <li className="flex min-w-0 flex-col gap-2">
      <h3 className="font-medium">{title}</h3>
      <p className="text-muted">{children}</p>
      <Code copy>{command}</Code>
    </li>
  );
}
