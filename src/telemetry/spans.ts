/** Spans for the rest of this room. OpenTelemetry is loaded only if spans are sent. */
import type { Tracer } from '@opentelemetry/api';

export type Attributes = Record<string, string | number>;

/** A span that is open. */
export interface SpanOf {
  rename(name: string, attributes: Attributes): void;
  /** `ok` and `completed` are successes; any other text is the code of an error. */
  end(outcome: string, attributes: Attributes): void;
}

/** Begins a span, below `parent` if given; undefined if tracing is off. */
export type StartSpan = (
  name: string, kind: 'internal' | 'client', attributes: Attributes, parent?: SpanOf,
) => SpanOf | undefined;

export const NO_SPANS: StartSpan = () => undefined;

const WELL = new Set(['ok', 'completed']);

/**
 * Parents are passed as arguments: a context of the process would be shared by all services in it,
 * and costs each promise something.
 */
export async function spansOf(tracer: Tracer): Promise<StartSpan> {
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = await import('@opentelemetry/api');
  const contexts = new WeakMap<SpanOf, ReturnType<typeof trace.setSpan>>();
  return (name, kind, attributes, parent) => {
    const span = tracer.startSpan(name, {
      kind: kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL, attributes,
    }, (parent && contexts.get(parent)) ?? ROOT_CONTEXT);
    const open: SpanOf = {
      rename: (other, more) => void span.updateName(other).setAttributes(more),
      end(outcome, more) {
        span.setAttributes(more);
        if (!WELL.has(outcome)) {
          span.setAttribute('error.type', outcome).setStatus({ code: SpanStatusCode.ERROR });
        }
        span.end();
      },
    };
    contexts.set(open, trace.setSpan(ROOT_CONTEXT, span));
    return open;
  };
}
