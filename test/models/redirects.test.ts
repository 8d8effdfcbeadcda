/** Addresses of models that lead to others. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { MODELS, providerServer } from './providerServer.ts';
import { runToError } from './support.ts';

t.test('an address that leads to another one, which gets no key', async (t) => {
  let asked = 0;
  const other = createServer((_request, response) => {
    asked += 1;
    response.writeHead(401).end();
  }).listen(0, '127.0.0.1');
  await once(other, 'listening');
  t.teardown(() => other.close().closeAllConnections());
  const origin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  for (const model of MODELS) {
    for (const status of [301, 307]) {
      const server = await providerServer(t, (response) =>
        response.writeHead(status, { location: `${origin}/v1?to=${model}` }).end());
      const { error } = await runToError(server.models().resolve(model));
      t.match(error, { code: 'model_error', retryable: false,
        message: new RegExp(`answered with a redirect to ${origin}/v1, as if .*_BASE_URL\\.$`) });
    }
  }
  t.equal(asked, 0);
});
