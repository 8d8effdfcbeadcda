/** What is said of a model that does not answer, and what to do. */
import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import t from 'tap';
import { readConfig } from '../../src/config.ts';
import { askModel } from '../../src/doctor/model.ts';
import { Models } from '../../src/models/models.ts';
import { makeCertificate } from '../support/certificate.ts';
import { listen } from '../support/listen.ts';

t.test('a model behind a certificate of an own authority', async (t) => {
  const certificate = makeCertificate(t);
  if (!certificate) return t.pass('a certificate', { skip: 'there is no openssl' });
  const port = await listen(t, createServer(certificate, (_request, response) => response.end()));
  const models = new Models(readConfig({
    MODEL: 'compatible/own', MODEL_BASE_URL: `https://localhost:${port}/v1` }));
  t.match(await askModel(models, 'compatible/own', 30_000), {
    status: 'failed', found: /Its certificate is of an authority that is not known here\.$/,
    advice: /NODE_EXTRA_CA_CERTS/,
  });
});

t.test('what a provider says is not taken for our own words', async (t) => {
  const said = JSON.stringify({ error: { message: 'nothing left of the rate of requests' } });
  const port = await listen(t, createHttpServer((_request, response) => response
    .writeHead(400, { 'Content-Type': 'application/json' }).end(said)));
  const models = new Models(readConfig({
    MODEL: 'compatible/own', MODEL_BASE_URL: `http://localhost:${port}/v1` }));
  t.match(await askModel(models, 'compatible/own', 30_000),
    { status: 'failed', found: /nothing left/, advice: /Change the setting that it quotes/ });
});

t.test('a refused key: what was said of it is shown, without it', async (t) => {
  const said = JSON.stringify({ error: { message: 'Not in team 7: own-key', code: 401 } });
  const answers = [(response: ServerResponse) => response.writeHead(200,
    { 'Content-Type': 'text/event-stream' }).end(`data: ${said}\n\n`),
  (response: ServerResponse) => response.writeHead(403).end('Not from this country.')];
  const port = await listen(t, createHttpServer((_request, response) =>
    answers.shift()!(response)));
  const models = new Models(readConfig({ MODEL: 'compatible/own', MODEL_API_KEY: 'own-key',
    MODEL_BASE_URL: `http://localhost:${port}/v1` }));
  t.match(await askModel(models, 'compatible/own', 30_000), { status: 'failed',
    found: /refused the service's key\. /,
    advice: /^It said: 401 Not in team 7: …\nPut a valid key .* MODEL_API_KEY/ });
  t.match(await askModel(models, 'compatible/own', 30_000), { status: 'failed',
    found: /Not from this country\./, advice: /\nSee what it quotes: .* MODEL_API_KEY/ });
});
