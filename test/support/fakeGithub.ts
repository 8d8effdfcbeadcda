/**
 * A GitHub as the pages' examples need one: its document as `npm pack` brings it, and an API that
 * takes one token. The real document is 12 MB; test/gateway/openapi/realDocuments.test.ts
 * imports that.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Test } from 'tap';
import { listen } from './listen.ts';

export const GITHUB_TOKEN = 'fake-github-token-of-octocat';

const inPath = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } });
const OF_REPOSITORY = [inPath('owner'), inPath('repo')];
const operation = (operationId: string, summary: string, parameters: object[] = []) => ({
  operationId, summary, parameters, tags: [operationId.split('/')[0]],
  responses: { 200: { description: 'Response' } },
});
const ISSUE = {
  type: 'object', required: ['title'], properties: { title: { type: 'string' } },
};

function documentOf(address: string) {
  return {
    openapi: '3.0.3', servers: [{ url: address }],
    info: { title: "GitHub's official OpenAPI spec, in part", version: '1' },
    paths: {
      '/user': { get: operation('users/get-authenticated', 'Get the authenticated user') },
      '/repos/{owner}/{repo}/issues': {
        get: operation('issues/list-for-repo', 'List repository issues', [...OF_REPOSITORY,
          { name: 'per_page', in: 'query', schema: { type: 'integer', default: 30 } }]),
        post: {
          ...operation('issues/create', 'Create an issue', OF_REPOSITORY),
          requestBody: { required: true, content: { 'application/json': { schema: ISSUE } } },
        },
      },
    },
  };
}

/** Serves the API until the test ends. */
export async function fakeGithub(t: Pick<Test, 'teardown'>) {
  const issues = [{ number: 1, title: 'Found a bug', state: 'open', user: { login: 'octocat' } }];
  const server = createServer(async (request, response) => {
    const given = await text(request);
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    const authorized = request.headers.authorization === `Bearer ${GITHUB_TOKEN}`;
    if (!authorized) return answer(401, { message: 'Bad credentials' });
    if (request.url === '/user') return answer(200, { login: 'octocat' });
    if (request.method === 'GET') return answer(200, issues);
    return answer(201, { ...issues[0], number: 2, ...JSON.parse(given) });
  });
  const port = await listen(t, server);
  return { allow: `127.0.0.1:${port}`, document: documentOf(`http://127.0.0.1:${port}`) };
}

/** Puts an `npm` into the folder whose `npm pack @octokit/openapi` brings this document. */
export function installNpm(folder: string, document: object): void {
  const generated = join(folder, 'packed', 'package', 'generated');
  mkdirSync(generated, { recursive: true });
  writeFileSync(join(generated, 'api.github.com.json'), JSON.stringify(document));
  const archive = join(folder, 'packed', 'octokit-openapi-23.0.2.tgz');
  execFileSync('tar', ['-czf', archive, '-C', join(folder, 'packed'), 'package']);
  writeFileSync(join(folder, 'npm'), `#!/bin/sh
[ "$*" = 'pack --silent @octokit/openapi' ] || { echo "npm $*: not in a test" >&2; exit 1; }
cp '${archive}' . && basename '${archive}'
`, { mode: 0o755 });
}
