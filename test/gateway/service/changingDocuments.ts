/** A service, and another system that publishes documents of itself and changes them. */
import type { Test } from 'tap';
import type { Schemas } from '../../support/client.ts';
import { json, serve } from '../egress/support.ts';
import { addIntegration, connectAccount, gatewayServer, grantTo } from './support.ts';

/** Path items by their paths. */
export type Paths = Record<string, object>;

/**
 * `first`: the paths of an integration that is added without any; `written`: what stands for paths
 * in their document.
 */
export async function changingDocuments(
  t: Test, first: Paths = {}, written = (paths: Paths): object => paths) {
  const documents = new Map<string, object>();
  const upstream = await serve(t, ({ method, target }, response) =>
    json(response, documents.get(target) ?? { method, target }));
  const server = await gatewayServer(t);
  const { client } = server;

  function publish(slug: string, paths: Paths, more: object = {}): void {
    documents.set(`/${slug}.json`, { openapi: '3.1.0', info: { title: 'Tickets', version: '1' },
      paths: written(paths), ...more });
  }

  return {
    server, upstream, documents, publish,

    /**
     * An integration of these paths, with an account and a grant for all that it has. What is new
     * is offered: what waits in spite of that is what these tests are about.
     */
    async added(slug: string, paths: Paths = first, rest: object = {}): Promise<void> {
      publish(slug, paths);
      await addIntegration(server, { slug, kind: 'openapi', base_url: upstream.url,
        document_url: `${upstream.url}/${slug}.json`, egress_allow: upstream.egress_allow,
        new_actions: 'offer', ...rest });
      await connectAccount(server, slug);
      await grantTo(server, 'allow', `${slug}.*`);
    },

    async refreshed(slug: string, paths: Paths, body = {}): Promise<Schemas['Integration']> {
      publish(slug, paths);
      return await client.expect(200, 'refreshIntegration', { path: { slug }, body });
    },

    /** What an agent finds, without the slug. */
    async offered(slug: string): Promise<string[]> {
      const { data } = await client.expect(200, 'listActions', { query: { integration: slug } });
      return data.map(({ name }) => name.slice(slug.length + 1));
    },
  };
}
