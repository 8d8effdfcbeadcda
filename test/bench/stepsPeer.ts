/** The model provider of test/bench/steps.ts, in a process of its own: it answers at once. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Steps of a run that call an action, before the one that answers. */
export const CALLS = 4;

const now = () => performance.timeOrigin + performance.now();

const server = createServer((request, response) => {
  // What comes back says when the request was here, on the machine's clock.
  const at = String(now());
  let body = '';
  request.setEncoding('utf8').on('data', (chunk: string) => { body += chunk; }).on('end', () => {
    const results = body.split('"role":"tool"').length - 1;
    const arguments_ = '{"action":"gateway.connections.list"}';
    const call = { index: 0, id: `call_${results}`, type: 'function',
      function: { name: 'call_action', arguments: arguments_ } };
    const choices = [
      { delta: { role: 'assistant', content: at } },
      ...results < CALLS ? [{ delta: { tool_calls: [call] } }] : [],
      { delta: {}, finish_reason: results < CALLS ? 'tool_calls' : 'stop' },
    ];
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const choice of choices) {
      response.write(`data: ${JSON.stringify({
        id: 'c', object: 'chat.completion.chunk', created: 0, model: 'm',
        choices: [{ index: 0, finish_reason: null, ...choice }],
      })}\n\n`);
    }
    response.end('data: {"id":"c","object":"chat.completion.chunk","created":0,"model":"m",'
      + '"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15}}\n\n'
      + 'data: [DONE]\n\n');
  });
});
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit(0));
