/** Addresses of models that lead to others. */
import { createServer } from 'node:http';
import t from 'tap';
import { listen } from '../support/listen.ts';
import { MODELS, providerServer, refused } from './providerServer.ts';
import { runToError } from './support.ts';

t.test('an address that leads to another one, which gets no key', async (t) => {
  let asked = 0;
  const other = createServer((_request, response) => {
    asked += 1;
    response.writeHead(401).end();
  });
  const origin = `http://127.0.0.1:${await listen(t, other)}`;
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

t.test('a redirect within the origin is followed, with all of the request', async (t) => {
  for (const model of MODELS) {
    const server = await providerServer(t, (response) =>
      response.writeHead(307, { location: '/real/v1?some=thing' }).end(),
    (response) => response.writeHead(308, { location: '/real/v2' }).end(), refused(400, {}));
    const { error } = await runToError(server.models().resolve(model));
    t.match(error, { message: /HTTP status 400/ });
    const [first, ...followed] = server.requests;
    t.strictSame(followed, [{ ...first!, path: '/real/v1?some=thing' },
      { ...first!, path: '/real/v2' }]);
  }
});

t.test('no more than three, and none that makes another request of it', async (t) => {
  const server = await providerServer(t, (response) =>
    response.writeHead(308, { location: '/again' }).end());
  const fail = async () => (await runToError(server.models().resolve(MODELS[3]))).error;
  const to = (path: string) => ({ code: 'model_error', retryable: false,
    message: new RegExp(`answered with a redirect to ${server.origin}${path}, as if`) });
  t.match(await fail(), to('/again'));
  t.equal(server.requests.length, 4);
  server.script((response) => response.writeHead(302, { location: '/other' }).end());
  t.match(await fail(), to('/other'));
  t.equal(server.requests.length, 1);
});

t.test('a long one, with a key, is told in short; the log has the query as well', async (t) => {
  const location = `/login/canary-compatible/${'a-b/'.repeat(1_000)}?state=one`;
  const server = await providerServer(t, (response) => response.writeHead(302, { location }).end(),
    (response) => response.writeHead(302, { location: '/login?from=canary-compatible' }).end());
  const fail = async () => (await runToError(server.models().resolve(MODELS[3]))).error;
  const long = await fail();
  t.match(long, { message: new RegExp(`${server.origin}/login/…/(a-b/)+`) });
  t.ok((long as Error).message.length < 600);
  t.ok(((long as Error).cause as Error).message.length < 2_100);
  const short = await fail();
  t.match(short, { message: new RegExp(`${server.origin}/login, as if`),
    cause: { name: 'RedirectedError', message: `It leads to ${server.origin}/login?from=…` } });
});
