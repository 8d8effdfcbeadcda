/** What the doctor says of an identity provider. */
import t from 'tap';
import { freePort } from '../support/freePort.ts';
import { serve } from '../gateway/egress/support.ts';
import { found } from './support.ts';

const OF = { GATEHOUSE_OIDC_CLIENT_ID: 'gatehouse', GATEHOUSE_OIDC_ADMINS: 'ada@example.com' };

t.test('of one that says what it has to, and of those that do not', async (t) => {
  let itself = '';
  const { url } = await serve(t, ({ target }, response) => {
    const is_there = target === '/realm/.well-known/openid-configuration';
    response.writeHead(is_there ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ issuer: itself, authorization_endpoint: `${itself}/authorize` }));
  });
  const origin = new URL(url).origin;
  const said = async (issuer: string) =>
    (await found(t, { ...OF, GATEHOUSE_OIDC_ISSUER: issuer }))['identity provider']!;
  itself = `${origin}/realm`;
  t.match(await said(`${origin}/realm`), { status: 'ok',
    found: `${origin}/realm answers; people sign in at ${origin}/realm/authorize` });
  t.match(await said(`${origin}/other`), { status: 'failed',
    found: `/other/.well-known/openid-configuration answered 404`,
    advice: /^Set GATEHOUSE_OIDC_ISSUER to exactly what/ });
  itself = `${origin}/realms/ours`;
  t.match(await said(`${origin}/realm`), { status: 'failed',
    found: `it calls itself ${origin}/realms/ours, and not ${origin}/realm` });
  const nobody = `http://127.0.0.1:${await freePort()}`;
  t.match(await said(nobody), { status: 'failed', found: /cannot be used: .*ECONNREFUSED/ });
});

t.test('of one that says nothing', async (t) => {
  const { url } = await serve(t, () => {});
  const { origin } = new URL(url);
  t.match((await found(t, { ...OF, GATEHOUSE_OIDC_ISSUER: origin }))['identity provider'], {
    status: 'failed', found: /^http:.* cannot be used: operation timed out/,
    advice: /look whether this machine reaches it/ });
});

t.test('nothing where nobody signs in by one', async (t) => {
  t.notOk('identity provider' in await found(t, {}));
});
