/**
 * What has no variable: values that nobody who runs the service has a reason to change, and such
 * as follow from a setting. They are members of the configuration beside the settings, so that a
 * test can have others.
 */

export const FIXED = {
  /** Deeper than any input of ours, and far from what a recursion bears. */
  json_depth_limit: 64,
  /** Ten bytes of a megabyte for each: nothing that anybody means consists of so small ones. */
  json_containers_limit: 100_000,
  /** What a process bears; more readers than that of one key want more processes anyhow. */
  streams_per_key: 5_000,
  streams_per_workspace: 10_000,
  /** Each may hold a body; nobody who means well waits for so many answers at once. */
  requests_per_key: 2_500,
  requests_per_workspace: 5_000,
  /** Per address. Nobody mistypes so often; a key that is in use goes on beyond it. */
  auth_failures_per_minute: 300,
  /** Half of the 30 s after which impatient proxies close what is silent. */
  heartbeat_ms: 15_000,
  /** A reader that has taken nothing for so long is gone as a rule; it may resume. */
  stalled_stream_ms: 60_000,
  /** A workspace that needs another number has `limits.max_queued_runs`. */
  workspace_queued_runs: 10_000,
  /** Null: half of what the workspace may have, by its own limit, too (`shareOfKey.ts`). */
  key_queued_runs: null as number | null,
  key_pending_approvals: null as number | null,
  /** With waits that double: about eight seconds, which outlasts passing faults of providers. */
  model_retries: 4,
  model_retry_ms: 500,
  /** Calls of one step at once: what one step asks for, without flooding whom it asks. */
  call_concurrency: 16,
  /** What is kept of a result on its invocation; agents see far less of it. */
  action_result_limit_bytes: 1_048_576,
  /** For runs that no notification told of, which are few; a look is one cheap statement. */
  claim_poll_ms: 1_000,
  /** Only a run that is always hidden behind others gets so far: it is to end some time. */
  max_attempts: 10,
};

/** Of a result a model sees so many characters, about 4,000 tokens: 32 fit the default context. */
const RESULT_CHARS = 16_000;
/** An error and its advice fit. */
const LEAST_RESULT_CHARS = 256;

/** As a text it is to stay well below the longest one that Node.js has, 512 Mi characters. */
const MOST_DOCUMENT_BYTES = 268_435_456;

const LEAST_IDLE_MS = 330_000;
/** What a request does besides the call that it makes: it waits for its turn, and is recorded. */
const BESIDE_CALL_MS = 30_000;

/** What follows from settings. */
export function derivedFrom(
  settings: {
    rate_per_key: number; body_limit_bytes: number; workspace_running_runs: number;
    model_context_tokens: number; action_timeout_ms: number;
  }) {
  const { rate_per_key, body_limit_bytes, workspace_running_runs, model_context_tokens } = settings;
  return {
    /** Two keys at their limit: one alone cannot take what all have. 0 stays no limit. */
    rate_per_workspace: 2 * rate_per_key,
    /** Documents of large services have tens of MiB, and an operator alone sends them. */
    document_limit_bytes: Math.min(32 * body_limit_bytes, MOST_DOCUMENT_BYTES),
    /** A connection is closed after so long without traffic; longer than any `wait` or call. */
    connection_idle_ms: Math.max(LEAST_IDLE_MS, settings.action_timeout_ms + BESIDE_CALL_MS),
    key_running_runs: Math.ceil(workspace_running_runs / 2),
    /** As large a share of a small context. */
    tool_result_limit_chars: Math.max(LEAST_RESULT_CHARS,
      Math.min(RESULT_CHARS, Math.floor(model_context_tokens / 8))),
  };
}

export type Fixed = typeof FIXED & ReturnType<typeof derivedFrom>;
