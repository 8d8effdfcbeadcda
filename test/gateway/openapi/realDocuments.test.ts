/** Documents that others wrote, imported whole. */
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import t, { type Test } from 'tap';
import { loadDocument } from '../../../src/gateway/openapi/document.ts';
import { importDocument } from '../../../src/gateway/openapi/importDocument.ts';
import { importOpenapi, type Imported } from '../../../src/gateway/openapi/openapi.ts';
import { upgradeDocument } from '../../../src/gateway/openapi/upgrade.ts';
import { PACKAGES, withPackedFile } from '../../support/packedFile.ts';

const SAMPLE = 25;
const require = createRequire(import.meta.url);

function importFile(
  path: string, slug: string, overrides: Parameters<typeof importOpenapi>[1]['overrides'] = {},
): Imported {
  const { document } = upgradeDocument(loadDocument(readFileSync(path, 'utf8')));
  return importOpenapi(document, { slug, overrides });
}

/** No collision, and every `step`th input schema is one that can be compiled. */
function checkImported(t: Test, { actions, report }: Imported, step = 1): void {
  const names = actions.map(({ name }) => name);
  t.equal(new Set(names).size, names.length, 'no two actions have one name');
  t.strictSame(names.filter((name) => !/^[a-z0-9_]+\.[a-z0-9_]+\.[a-z0-9_]+$/.test(name)), []);
  t.equal(report.imported + report.skipped.length, report.operations);
  t.strictSame(actions.filter((_, i) => (i + 1) % step === 0).flatMap(({ name, input_schema }) => {
    try {
      new Ajv2020({ strict: false, validateFormats: false, logger: false }).compile(input_schema);
      return [];
    } catch (error) {
      return [`${name}: ${String(error)}`];
    }
  }), [], 'input schemas compile');
}

t.test('GitHub', (t) => withPackedFile(
  t, PACKAGES.github, 'package/generated/api.github.com.json', async (path) => {
    const source = readFileSync(path, 'utf8');
    const options = { slug: 'github' };
    const imported = await importDocument({ source, options });
    t.equal(imported.actions.length, 1_223);
    t.strictSame(imported.report.skipped, []);
    checkImported(t, imported, SAMPLE);
    const byName = new Map(imported.actions.map((action) => [action.name, action]));
    t.match(byName.get('github.issues.list_for_repo'), {
      source_key: 'GET /repos/{owner}/{repo}/issues', effect: 'read',
      paging: { style: 'page', parameter: 'page', size_parameter: 'per_page' },
      input_schema: { required: ['path'], properties: {
        path: { required: ['owner', 'repo'] }, query: {} } },
    });
    t.match(byName.get('github.issues.create'), { effect: 'write',
      request: { body_media_type: 'application/json' } });
    t.match(byName.get('github.repos.delete'), { effect: 'destructive' });
    t.match(imported.report.servers, ['https://api.github.com']);

    const known = imported.actions.map(({ source_key, name, operation_id }) => ({
      source_key, operation_id, removed: false,
      name: source_key === 'GET /repos/{owner}/{repo}/issues' ? 'github.issues.of_repo' : name }));
    const again = importOpenapi(loadDocument(source), { slug: 'github', known });
    t.strictSame(again.actions.map(({ name }) => name), known.map(({ name }) => name),
      'nothing is renamed');
  }));

t.test('Notion', (t) => withPackedFile(
  t, PACKAGES.notion, 'package/scripts/notion-openapi.json', (path) => {
    const imported = importFile(path, 'notion');
    t.equal(imported.actions.length, 24);
    checkImported(t, imported);
    const search = ({ actions }: Imported) =>
      actions.find(({ source_key }) => source_key === 'POST /v1/search');
    t.match(search(imported), { effect: 'write', paging: null });
    t.match(search(importFile(path, 'notion', { 'POST /v1/search': { effect: 'read' } })), {
      paging: { style: 'cursor', place: 'body', parameter: 'start_cursor' } });
    t.ok(imported.report.auth_methods.includes('bearer'));
  }));

t.test('Figma', async (t) => {
  const path = join(dirname(require.resolve('@figma/rest-api-spec/package.json')),
    'openapi/openapi.yaml');
  const imported = importFile(path, 'figma');
  t.equal(imported.actions.length, 54);
  t.strictSame(imported.report.skipped, []);
  checkImported(t, imported);
  t.match(imported.actions.find(({ name }) => name === 'figma.files.get'), {
    source_key: 'GET /v1/files/{file_key}', effect: 'read' });
  const header = { in: 'header', name: 'X-Figma-Token' };
  t.match(imported.report.security_schemes, [
    { type: 'api_key', placement: header }, { type: 'api_key', placement: header },
    { name: 'OAuth2', type: 'oauth2', flows: { authorization_code: {
      authorization_url: 'https://www.figma.com/oauth',
      token_url: 'https://api.figma.com/v1/oauth/token',
      refresh_url: 'https://api.figma.com/v1/oauth/refresh',
      scopes: { 'current_user:read': 'Read your name, email, and profile image.' } } },
    required_scopes: { other: ['file_comments:write', 'file_dev_resources:write',
      'file_variables:write', 'webhooks:write'] } },
    { name: 'OrgOAuth2', required_scopes: { read: ['org:activity_log_read'], other: [] } },
  ]);
  const [, , { required_scopes } = {}] = imported.report.security_schemes;
  t.equal(required_scopes!.read.length, 17);
  t.ok(required_scopes!.read.includes('file_content:read'));
  t.strictSame(imported.report.servers, ['https://api.figma.com']);
});

t.test('what the examples of OAS say about authentication', async (t) => {
  const folder = dirname(require.resolve('@readme/oas-examples/package.json'));
  const schemesOf = (file: string) =>
    importFile(join(folder, file), 'x').report.security_schemes.map(
      ({ name, flows, required_scopes, openid_connect_url }) => ({
        name, grants: Object.keys(flows ?? {}), read: required_scopes?.read, openid_connect_url }));
  t.match(schemesOf('3.1/json/train-travel.json'),
    [{ name: 'OAuth2', grants: ['authorization_code'], read: ['read'] }]);
  t.match(schemesOf('3.1/yaml/security.yaml').slice(7), [
    { name: 'oauth2', grants: ['authorization_code', 'client_credentials'] },
    { name: 'oauth2_authorizationCode', grants: ['authorization_code'] },
    { name: 'oauth2_clientCredentials', grants: ['client_credentials'] },
    { name: 'oauth2_implicit', grants: [] }, { name: 'oauth2_password', grants: [] },
    { grants: [], openid_connect_url: 'https://example.com/.well-known/openid-configuration' },
  ]);
});

t.test('the examples of OAS', async (t) => {
  const folder = dirname(require.resolve('@readme/oas-examples/package.json'));
  for (const version of ['2.0', '3.0', '3.1'] as const) {
    for (const kind of ['json', 'yaml']) {
      const within = join(folder, version, kind);
      const files = readdirSync(within, { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.(json|ya?ml)$/.test(file));
      await t.test(`${version} as ${kind}`, async (t) => {
        t.ok(files.length > 5);
        for (const file of files) {
          t.comment(file);
          const source = readFileSync(join(within, file), 'utf8');
          const { document, from } = upgradeDocument(loadDocument(source));
          t.equal(from, version);
          // The same documents as YAML: their schemas are not compiled again.
          checkImported(t, importOpenapi(document, { slug: 'x' }), kind === 'json' ? 3 : Infinity);
        }
      });
    }
  }
});
