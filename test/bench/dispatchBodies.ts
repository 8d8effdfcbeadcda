/** What the servers of the dispatch bench answer with. */
const at = '2026-11-21T03:41:58.123Z';

export const SESSION = {
  id: 'ses_01kagz4c8me3t0v5x7n9q2r4ab', object: 'session', status: 'active', title: '',
  metadata: { team: 'growth' }, active_run_id: null, created_at: at, updated_at: at,
};

export const RUN = {
  id: 'run_01kagz4e6f1s3t5v7w9x1y3z5a', object: 'run', session_id: SESSION.id,
  status: 'completed', source: 'api', model: 'rehearsal',
  input: [{ role: 'user', content: [{ type: 'input_text', text: 'Which sessions do I have?' }] }],
  output: [{
    type: 'message', role: 'assistant',
    content: [{ type: 'output_text', text: 'You have one session, “Weekly report”.' }],
  }],
  tool_calls: [], error: null, usage: { input_tokens: 412, output_tokens: 57, total_tokens: 469 },
  metadata: {}, created_at: at, updated_at: at, started_at: at, finished_at: at,
};
