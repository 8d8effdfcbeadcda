/** An authorization server or identity provider of others, which a test may have lie. */
import { OAuth2Server } from 'oauth2-mock-server';
import type { Test } from 'tap';

/** Starts one with a key of its own; it ends with the test. */
export async function startOAuthServer(t: Pick<Test, 'teardown'>): Promise<OAuth2Server> {
  const server = new OAuth2Server();
  await server.issuer.keys.generate('RS256');
  await server.start(0, '127.0.0.1');
  t.teardown(() => server.stop());
  return server;
}
