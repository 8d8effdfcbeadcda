/** All there is to know of a call, a message or a thought. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { getActionInvocationOptions } from '#client/@tanstack/react-query.gen.ts';
import type { ActionInvocation, ToolCallError } from '#client/types.gen.ts';
import { asApiError } from '../data/api.ts';
import { approvalOf, callStatus } from '../data/calls.ts';
import { ApprovalNote } from '../frame/permission.tsx';
import { Badge, Button, CopyButton, StatusBadge } from '../kit/controls.tsx';
import { Name } from '../kit/exact.tsx';
import { JsonView } from '../kit/JsonView.tsx';
import { Drawer } from '../kit/overlays.tsx';
import { Prose } from '../kit/Prose.tsx';
import { CopyId, ErrorNote, Facts } from '../kit/text.tsx';
import { Duration, durationText, Time } from '../kit/time.tsx';
import type { Call, History, Part } from './history.ts';

interface PartDrawerProps {
  part: Part;
  history: History;
  /** The run goes on, and is followed. */
  is_live: boolean;
  /** A file is shown: nothing is asked of the service. */
  is_file: boolean;
  /** Undefined closes it. */
  onOpen: (part_id: string | undefined) => void;
}

export function PartDrawer({ part, history, is_live, is_file, onOpen }: PartDrawerProps) {
  const { calls } = history;
  const at = calls.findIndex(({ id }) => id === part.id);
  const go = (to: number, words: string, icon: 'up' | 'down') => (
    <Button icon={icon} is_off={calls[to] === undefined} onClick={() => onOpen(calls[to]?.id)}>
      {words}
    </Button>
  );
  return (
    <Drawer shows={part.id} onClose={() => onOpen(undefined)}
      title={part.kind === 'call' ? <Name>{part.name}</Name>
        : { message: 'Message', thought: 'Thought' }[part.kind]}
      actions={at !== -1 && (
        <>
          <span className="grow self-center text-muted">{`Call ${at + 1} of ${calls.length}`}</span>
          {go(at - 1, 'Previous call', 'up')}
          {go(at + 1, 'Next call', 'down')}
        </>
      )}>
      {part.kind === 'call' ? <CallText call={part} is_file={is_file} />
        : (
          <div className="flex flex-col gap-3">
            <Facts of={timesOf(part, history, is_live)} />
            <Prose text={part.text} />
            <CopyButton text={part.text} what="text" look="plain">Copy as Markdown</CopyButton>
          </div>
        )}
    </Drawer>
  );
}

function timesOf(
  { from_ms, to_ms }: Part, { created_ms, last_ms }: History, is_live: boolean) {
  return [
    ['Began', <Moment key="from" at_ms={from_ms} created_ms={created_ms} />],
    ['Took', to_ms === null && is_live
      ? <Duration key="took" from={new Date(from_ms).toISOString()} />
      : durationText((to_ms ?? last_ms) - from_ms)],
  ] as const;
}

function Moment({ at_ms, created_ms }: { at_ms: number; created_ms: number }) {
  return (
    <>
      <Time at={new Date(at_ms).toISOString()} as="local" />
      <span className="text-muted">
        {`, ${durationText(at_ms - created_ms)} after the run was made`}
      </span>
    </>
  );
}

function CallText({ call, is_file }: { call: Call; is_file: boolean }) {
  const { id, status, arguments: given, argument_text, result, error, invocation_id } = call;
  const { data: record, error: fault } = useQuery({
    ...getActionInvocationOptions({ path: { invocation_id: invocation_id ?? '' } }),
    staleTime: Infinity, enabled: invocation_id !== null && !is_file });
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <StatusBadge status={callStatus(call)} />
        {call.duration_ms !== null && <span>{durationText(call.duration_ms)}</span>}
        {call.is_truncated && <Badge tone="warn">the model saw a part of the result</Badge>}
      </div>
      {error && <CallFault error={error} is_file={is_file} />}
      <Section title="Input">
        {given === undefined ? <Prose text={argument_text || 'The model is writing it …'} plain />
          : <JsonView value={given} label="input" />}
      </Section>
      {status === 'completed' && (
        <Section title="Result, as the model saw it">
          <JsonView value={result} label="result" />
        </Section>
      )}
      <Section title="Particulars">
        <Facts of={[
          ['Call', <CopyId id={id} of="call" />],
          ['Invocation', invocation_id === null ? 'none: the gateway was not asked'
            : <CopyId id={invocation_id} of="invocation" />],
          ['Began', <Time at={new Date(call.from_ms).toISOString()} as="local" />],
          record !== undefined && ['Connection', record.connection_id
            ? <CopyId id={record.connection_id} of="connection" /> : 'none'],
          record !== undefined && ['Took', durationText(record.duration_ms)],
        ]} />
      </Section>
      {fault && <ErrorNote error={asApiError(fault)} />}
      {record && <RecordText record={record} />}
    </div>
  );
}

/** What the record of the call has beside the run's events. */
export function RecordText({ record: { status, error, result, truncated } }: {
  record: ActionInvocation;
}) {
  const details = error?.details as { missing?: unknown } | undefined;
  return (
    <>
      {details !== undefined && (
        <Section title={details.missing ? 'What is missing' : 'What the integration said'}>
          <JsonView value={details} label="details" />
        </Section>
      )}
      {status === 'completed' && (
        <Section title={truncated ? 'The record of the result, cut to what is kept'
          : 'The whole result'}>
          <JsonView value={result} label="whole result" />
        </Section>
      )}
    </>
  );
}

interface Fault {
  error: Omit<ToolCallError, 'upstream'> & { upstream?: unknown };
  is_file?: boolean;
  /** Who called: an agent, or an application by itself. */
  by?: 'agent' | 'self';
}

/** Why it failed, and each gap with who can close it. */
export function CallFault({ error, is_file = false, by = 'agent' }: Fault) {
  const { code, message, missing, upstream } = error;
  const approval_id = approvalOf(error);
  if (approval_id !== undefined && !is_file) {
    return (
      <>
        <ApprovalNote approval_id={approval_id} by={by} />
        <Section title={`What the ${by === 'agent' ? 'model' : 'caller'} was told`}>
          <Prose text={message} />
        </Section>
      </>
    );
  }
  return (
    <div className="flex flex-col gap-2">
      <ErrorNote error={{ message, code }} />
      {upstream !== undefined && (
        <Section title="What the other system answered">
          <JsonView value={upstream} label="what the other system answered" height={240} />
        </Section>
      )}
      {missing?.map(({ code: gap, message: _, ...particulars }, at) => (
        <Section key={at} title={`Missing: ${GAPS[gap] ?? gap}`}>
          {Object.keys(particulars).length > 0 && (
            <JsonView value={particulars} label={`what is missing, ${gap}`} height={240} />
          )}
        </Section>
      ))}
    </div>
  );
}

const GAPS: Readonly<Record<string, string>> = {
  not_permitted: 'a grant', approval_required: 'an approval', not_connected: 'a connection',
  needs_reconnect: 'a working connection', connection_ambiguous: 'the choice of a connection',
  invalid_input: 'a valid input', unknown_action: 'an action of this name',
};

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex min-w-0 flex-col gap-1.5">
      <h2>{title}</h2>
      {children}
    </section>
  );
}
