/**
 * A model provider in a process of its own, which answers at once. A run makes as many steps that
 * call an action as the first argument says, each with as many calls as `calls=…` in its prompt
 * says, or one, and then answers.
 *
 * Usage: fork it; its first message is its port. A GET answers what was sent last.
 */
import { createServer } from 'node:http';
import { portOf } from '../support/listen.ts';

const STEPS = Number(process.argv[2]);

let latest = '';

const now = () => performance.timeOrigin + performance.now();

const server = createServer((request, response) => {
  // What comes back says when the request was here, on the machine's clock.
  const at = String(now());
  if (request.method === 'GET') return void response.end(latest);
  let body = '';
  request.setEncoding('utf8').on('data', (chunk: string) => { body += chunk; }).on('end', () => {
    latest = body;
    const results = body.split('"role":"tool"').length - 1;
    const calls = Number(/\bcalls=(\d+)/.exec(body)?.[1] ?? 1);
    const arguments_ = '{"action":"gateway.connections.list"}';
    const callAt = (index: number) => ({ index, id: `call_${results + index}`, type: 'function',
      function: { name: 'call_action', arguments: arguments_ } });
    const isLast = results >= STEPS * calls;
    const choices = [
      { delta: { role: 'assistant', content: at } },
      ...isLast ? []
        : Array.from({ length: calls }, (_, index) => ({ delta: { tool_calls: [callAt(index)] } })),
      { delta: {}, finish_reason: isLast ? 'stop' : 'tool_calls' },
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
process.send!(await portOf(server));
process.on('disconnect', () => process.exit(0));
