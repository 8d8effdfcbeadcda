/**
 * The viewer of the API reference: Scalar, as one script that loads nothing from elsewhere.
 *
 * Compared with swagger-ui-dist 5.35.0 on this document as OpenAPI 3.1 and as 3.2: both show it,
 * need no 'unsafe-eval' and ask nothing of other hosts. Scalar weighs 1.26 MB compressed to Swagger
 * UI's 0.49 MB, and paints after 1.1 s to its 0.9 s on the same machine. For that it shows a stream
 * as it arrives, has dark and light, fits 360 px with its menus, shows examples of requests in
 * many languages, and looks like documentation. It is loaded on the page of the reference alone.
 *
 * The package of the same name (`@scalar/api-reference`) installs 272 others, 287 MB, most of them
 * the sources of the script that we serve as it is. Scalar's plugin for Fastify has the same script
 * of the same version and installs 28, so the script is taken from there: the plugin is registered
 * with what is of Fastify's interface just enough to be given the route of the script.
 */

interface ViewerRoute {
  url: string;
  handler(request: object, reply: object): unknown;
}

type Plugin = (fastify: object, options: object, onDone: () => void) => void;

/** The script, which defines `Scalar`. */
export async function viewerScript(): Promise<string> {
  const { default: plugin } = await import('@scalar/fastify-api-reference');
  const routes: ViewerRoute[] = [];
  const fastify = { route: (route: ViewerRoute) => routes.push(route) };
  (plugin as unknown as Plugin)(fastify, { configuration: { url: 'openapi.json' } }, () => {});
  const { handler } = routes.find(({ url }) => url.endsWith('.js'))!;
  let script = '';
  const reply = { header: () => reply, send: (text: string) => { script = text; } };
  handler({}, reply);
  return script;
}
