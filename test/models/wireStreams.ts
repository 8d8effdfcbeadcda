/** A step in the words of each vendor's API: payloads of its stream, without a recording. */

export interface Said {
  reasoning?: string[];
  text?: string[];
  /** Arguments, in the pieces they come in; Google gives them whole. */
  calls?: string[][];
  usage?: [input: number, output: number];
}

/** The payloads of a stream in which a model of this provider says so. */
export function payloadsOf(model: string, said: Said): string[] {
  const of = { openai, anthropic, google, compatible }[model.split('/')[0]!]!;
  const events = of({ reasoning: [], text: [], calls: [], usage: [5, 3], ...said });
  const payloads = events.map((event) => JSON.stringify(event));
  return model.startsWith('compatible/') ? [...payloads, '[DONE]'] : payloads;
}

function openai({ reasoning, text, calls, usage }: Required<Said>): object[] {
  const thought = { type: 'reasoning', id: 'rs_1', encrypted_content: 'encrypted-thought',
    summary: [] };
  const item = (type: 'added' | 'done', output_index: number, value: object) =>
    ({ type: `response.output_item.${type}`, output_index, item: value });
  const at = { item_id: 'rs_1', summary_index: 0 };
  return [
    { type: 'response.created', response: { id: 'resp_1', created_at: 1, model: 'm' } },
    ...(reasoning.length === 0 ? [] : [
      item('added', 0, thought), { type: 'response.reasoning_summary_part.added', ...at },
      ...reasoning.map((delta) =>
        ({ type: 'response.reasoning_summary_text.delta', ...at, delta })),
      { type: 'response.reasoning_summary_part.done', ...at }, item('done', 0, thought)]),
    ...(text.length === 0 ? [] : [
      item('added', 1, { type: 'message', id: 'msg_1' }),
      ...text.map((delta) => ({ type: 'response.output_text.delta', item_id: 'msg_1', delta })),
      item('done', 1, { type: 'message', id: 'msg_1' })]),
    ...calls.flatMap((pieces, n) => {
      const call = { type: 'function_call', id: `fc_${n}`, call_id: `theirs_${n}`,
        name: 'call_action', status: 'completed' };
      return [item('added', n + 2, { ...call, arguments: '' }),
        ...pieces.map((delta) => ({ type: 'response.function_call_arguments.delta',
          item_id: call.id, output_index: n + 2, delta })),
        item('done', n + 2, { ...call, arguments: pieces.join('') })];
    }),
    { type: 'response.completed',
      response: { usage: { input_tokens: usage[0], output_tokens: usage[1] } } },
  ];
}

function anthropic({ reasoning, text, calls, usage }: Required<Said>): object[] {
  let index = 0;
  const block = (content_block: object, deltas: object[]) => {
    const at = { index: index++ };
    return [{ type: 'content_block_start', ...at, content_block },
      ...deltas.map((delta) => ({ type: 'content_block_delta', ...at, delta })),
      { type: 'content_block_stop', ...at }];
  };
  return [
    { type: 'message_start', message: { id: 'msg_1', type: 'message', role: 'assistant',
      content: [], model: 'm', usage: { input_tokens: usage[0], output_tokens: 0 } } },
    ...(reasoning.length === 0 ? [] : block({ type: 'thinking', thinking: '' }, [
      ...reasoning.map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature: 'signed-thought' }])),
    ...(text.length === 0 ? [] : block({ type: 'text', text: '' },
      text.map((piece) => ({ type: 'text_delta', text: piece })))),
    ...calls.flatMap((pieces, n) => block(
      { type: 'tool_use', id: `toolu_${n}`, name: 'call_action', input: {} },
      pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json })))),
    { type: 'message_delta', usage: { output_tokens: usage[1] },
      delta: { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null } },
    { type: 'message_stop' },
  ];
}

function google({ reasoning, text, calls, usage }: Required<Said>): object[] {
  const chunk = (part: object, rest: object = {}) =>
    ({ candidates: [{ index: 0, content: { role: 'model', parts: [part] }, ...rest }] });
  return [
    ...reasoning.map((piece) => chunk({ text: piece, thought: true })),
    ...text.map((piece) => chunk({ text: piece })),
    ...calls.map((pieces) => chunk({ thoughtSignature: 'signed-part', functionCall: {
      name: 'call_action', args: JSON.parse(pieces.join('')) as object } })),
    { ...chunk({ text: '' }, { finishReason: 'STOP' }),
      usageMetadata: { promptTokenCount: usage[0], candidatesTokenCount: usage[1] } },
  ];
}

function compatible({ reasoning, text, calls, usage }: Required<Said>): object[] {
  const chunk = (delta: object, finish_reason: string | null = null) =>
    ({ id: 'c', choices: [{ index: 0, delta, finish_reason }] });
  return [
    ...reasoning.map((reasoning_content) => chunk({ reasoning_content })),
    ...text.map((content) => chunk({ content })),
    ...calls.flatMap((pieces, index) => pieces.map((piece, n) => chunk({ tool_calls: [{ index,
      ...(n === 0 && { id: `theirs_${index}`, type: 'function' }),
      function: { ...(n === 0 && { name: 'call_action' }), arguments: piece } }] }))),
    chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'),
    { id: 'c', choices: [], usage: { prompt_tokens: usage[0], completion_tokens: usage[1] } },
  ];
}
