/** A run as a conversation: what was asked, thought, called and said, growing as it happens. */
import {
  memo, useCallback, useDeferredValue, useLayoutEffect, useRef, useState, type ReactNode,
  type RefObject,
} from 'react';
import { callStatus } from '../data/calls.ts';
import { Button, Icon, Spinner } from '../kit/controls.tsx';
import { Name } from '../kit/exact.tsx';
import { jsonStart } from '../kit/JsonView.tsx';
import { Prose } from '../kit/Prose.tsx';
import { useEnd } from '../kit/rows.ts';
import { startOf } from '../kit/text.tsx';
import { durationText } from '../kit/time.tsx';
import type { Call, History, Message, Part, Thought } from './history.ts';

/**
 * Keeps the end of a place in sight while it grows, what comes last included, if that is where the
 * reader is. Answers whether something has come below what is in sight, and what goes there.
 */
export function useFollowing(
  scroller: RefObject<HTMLDivElement | null>, size: unknown, is_live: boolean,
): [boolean, () => void] {
  const { is_there, look, toEnd } = useEnd(scroller, is_live);
  const was_live = useRef(is_live);
  const [has_more, setMore] = useState(false);
  // Before anything follows: Back may have led to another place than the end.
  useLayoutEffect(() => {
    const element = scroller.current!;
    const onScroll = () => {
      if (look()) setMore(false);
    };
    if (element.scrollTop > 0) onScroll();
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => element.removeEventListener('scroll', onScroll);
  }, [scroller, look]);
  const onEnd = useCallback(() => {
    toEnd();
    // A table draws its rows when it hears of it: by the browser, after an empty picture.
    scroller.current!.dispatchEvent(new Event('scroll'));
  }, [scroller, toEnd]);
  useLayoutEffect(() => {
    if (!is_live && !was_live.current) return;
    was_live.current = is_live;
    if (is_there.current) onEnd();
    else setMore(true);
  }, [size, is_live, is_there, onEnd]);
  return [has_more && is_live, onEnd];
}

interface ConversationProps {
  history: History;
  is_live: boolean;
  onOpen: (part_id: string) => void;
  /** What stands at the end: how it came out. */
  children: ReactNode;
}

export function Conversation({ onOpen, children, ...newest }: ConversationProps) {
  const scroller = useRef<HTMLDivElement>(null);
  // Long texts are drawn when there is time for it. The end is followed when they are.
  const history = useDeferredValue(newest.history);
  const is_live = useDeferredValue(newest.is_live);
  const [has_more, onEnd] = useFollowing(scroller, history, is_live);
  const { created_ms, items, input } = history;
  return (
    <div className="relative flex min-h-0 grow flex-col">
      <div ref={scroller} tabIndex={0} role="region" aria-label="Conversation"
        className="min-h-0 grow overflow-y-auto bg-surface px-4 py-4 outline-offset-[-2px]">
        <ol className="flex max-w-5xl flex-col gap-3">
          <Line at_ms={0} label="Prompt">
            <div className="flex flex-col gap-2 rounded-lg bg-raised px-3 py-2.5">
              {input.flatMap(({ content }) => content).map(({ text }, at) =>
                <Prose key={at} text={text} plain limit={40_000} />)}
            </div>
          </Line>
          {items.map((item) => (item.kind === 'step'
            ? item.parts.map((part) => (
              <PartLine key={part.id} {...{ part, created_ms, is_live, onOpen }}
                changed={part.changed} />
            ))
            : (
              <li key={item.id}>
                <p role="note" className="flex items-center gap-2 text-sm text-warn">
                  <Icon name="retry" size={14} />
                  {`Attempt ${item.attempt}: after ${durationText(item.gap_ms)} without a worker,`
                    + ' another one took the run on and went on after what was committed.'}
                </p>
              </li>
            )))}
          <li>{children}</li>
        </ol>
      </div>
      {has_more && <Follow {...{ scroller, onEnd }} />}
    </div>
  );
}

/** Lies at the foot of what is followed no more: leads to its end. */
export function Follow({ scroller, onEnd }: {
  scroller: RefObject<HTMLDivElement | null>; onEnd: () => void;
}) {
  const go = () => {
    onEnd();
    scroller.current?.focus(); // What was pressed goes.
  };
  return (
    <div className="pointer-events-none absolute inset-x-0 bottom-3 flex justify-center">
      <span className="pointer-events-auto rounded-md shadow-lift">
        <Button look="main" icon="down" onClick={go}>Follow</Button>
      </span>
    </div>
  );
}

/** One of many: laid out when it comes in sight. */
function Line({ at_ms, label, children }: { at_ms: number; label: string; children: ReactNode }) {
  const is_speech = label === 'Prompt' || label === 'Agent';
  return (
    <li className="grid grid-cols-[4.5rem_minmax(0,1fr)] gap-x-3 [contain-intrinsic-size:auto_3rem]
      [content-visibility:auto] max-sm:grid-cols-1">
      <div className="flex flex-col pt-2 text-xs text-muted tabular-nums max-sm:flex-row
        max-sm:gap-2 max-sm:pt-0">
        <span className={is_speech ? 'text-sm font-medium text-text' : 'sr-only'}>{label}</span>
        {label !== 'Prompt' && <span className="pt-0.5">{`+${durationText(at_ms)}`}</span>}
      </div>
      <div className="min-w-0">{children}</div>
    </li>
  );
}

interface PartLineProps {
  part: Part; changed: number; created_ms: number; is_live: boolean;
  onOpen: (part_id: string) => void;
}

const LABELS = { thought: 'Thought', message: 'Agent', call: 'Call' } as const;

const PartLine = memo(function PartLine(
  { part, created_ms, is_live, onOpen }: PartLineProps) {
  return (
    <Line at_ms={part.from_ms - created_ms} label={LABELS[part.kind]}>
      {part.kind === 'call' ? <CallLine call={part} {...{ is_live, onOpen }} />
        : part.kind === 'thought' ? <ThoughtText thought={part} />
          : <MessageText message={part} is_live={is_live} />}
    </Line>
  );
}, (before, after) => before.changed === after.changed && before.part.id === after.part.id
  && before.is_live === after.is_live
  && before.part.kind === after.part.kind && before.onOpen === after.onOpen);

const SHORT_THOUGHT = 600;

function ThoughtText({ thought: { text } }: { thought: Thought }) {
  const whole = <div className="border-l-2 border-line pl-3 text-muted"><Prose text={text} /></div>;
  if (text.length <= SHORT_THOUGHT) return <div className="py-2">{whole}</div>;
  return (
    <details className="py-2">
      <summary className="cursor-pointer truncate text-muted">{startOf(text, 200)}</summary>
      <div className="mt-2">{whole}</div>
    </details>
  );
}

function MessageText({ message: { text, state, incomplete_reason }, is_live }: {
  message: Message; is_live: boolean;
}) {
  if (state === 'lost' || state === 'anew') {
    // The answer that counts comes below: this one would keep it out of sight.
    return (
      <details className="py-2">
        <summary className="cursor-pointer text-warn">
          {state === 'lost' ? 'Not kept: the worker was lost or stopped'
            : 'Not kept: the model was interrupted'}
        </summary>
        <div className="mt-2 border-l-2 border-line pl-3 text-muted"><Prose text={text} /></div>
      </details>
    );
  }
  return (
    <div className="py-2">
      <div className={state === 'cut' ? 'text-muted line-through decoration-1' : ''}>
        <Prose text={text} />
      </div>
      {state === 'growing' && is_live && (
        <p className="mt-1 flex items-center gap-2 text-sm text-muted"><Spinner />Writing …</p>
      )}
      {state === 'cut' && (
        <p className="mt-1 text-sm text-warn">
          Not kept: the run ended before the model had finished.
        </p>
      )}
      {incomplete_reason !== null && (
        <p className="mt-1 text-sm text-warn">
          {INCOMPLETE[incomplete_reason] ?? incomplete_reason}
        </p>
      )}
    </div>
  );
}

const INCOMPLETE: Readonly<Record<string, string>> = {
  max_output_tokens: 'Cut off: the model may not write more at once.',
  content_filter: 'Cut off by the content filter of the model\'s provider.',
  other: 'Cut off by the model\'s provider, which does not say why.',
};

const PREVIEW = 240;
const LOOKS = {
  running: ['text-accent', 'more'], completed: ['text-good', 'check'],
  failed: ['text-bad', 'close'], asked_for_approval: ['text-warn', 'clock'],
} as const;

function CallLine({ call, is_live, onOpen }: {
  call: Call; is_live: boolean; onOpen: (part_id: string) => void;
}) {
  const { id, name, error, duration_ms, result } = call;
  const status = callStatus(call) as keyof typeof LOOKS;
  const [tone, icon] = LOOKS[status];
  return (
    <button type="button" onClick={() => onOpen(id)} aria-haspopup="dialog"
      className="panel flex w-full flex-col gap-0.5 px-3 py-1.5 text-left hover:bg-raised">
      <span className="flex w-full min-w-0 items-center gap-2">
        <span className={tone}>
          {status === 'running' && is_live ? <Spinner /> : <Icon name={icon} size={14} />}
        </span>
        <span className="truncate font-mono text-sm font-medium"><Name>{name}</Name></span>
        <span className="sr-only">{status.replaceAll('_', ' ')}</span>
        <span className="min-w-0 flex-1 truncate font-mono text-sm text-muted">
          <Name>{inputText(call)}</Name>
        </span>
        {duration_ms !== null && (
          <span className="shrink-0 text-sm text-muted tabular-nums">
            {durationText(duration_ms)}
          </span>
        )}
      </span>
      {error && (
        <span className={`line-clamp-2 text-sm wrap-anywhere ${tone}`}>
          {status === 'asked_for_approval' ? 'It asked for approval.'
            : <Name>{`${error.code}: ${startOf(error.message, 2 * PREVIEW)}`}</Name>}
        </span>
      )}
      {status === 'completed' && (
        <span className="w-full truncate font-mono text-sm text-muted">
          <Name>{textOf(answerIn(result))}</Name>
        </span>
      )}
    </button>
  );
}

/** The arguments without the name of the action, which stands beside them. */
function inputText({ arguments: given, argument_text }: Call): string {
  if (given === undefined) return startOf(argument_text, PREVIEW);
  if (typeof given !== 'object' || given === null || !('action' in given)) return textOf(given);
  const { action: _, input, ...rest } = given as Record<string, unknown>;
  return [input, Object.keys(rest).length > 0 ? rest : undefined]
    .flatMap((one) => (one === undefined ? [] : textOf(one))).join(' ');
}

/** What the action answered, out of what the model is told of a call. */
function answerIn(result: unknown): unknown {
  return typeof result === 'object' && result !== null && 'ok' in result && 'result' in result
    ? result.result : result;
}

function textOf(value: unknown): string {
  return jsonStart(value, PREVIEW);
}
