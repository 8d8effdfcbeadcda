/** What is said of a model that does not answer, and what to do. */
import { createServer as createHttpServer } from 'node:http';
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
