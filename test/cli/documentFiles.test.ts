import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { documentInFiles } from '../../src/cli/documentFiles.ts';
import { INTEGRATION } from './operator.ts';
import { fakeService, gatehouse, GATEHOUSE, json } from './support.ts';

t.test('what a document refers to goes along, from its own folder alone', async (t) => {
  const folder = t.testdir({ 'secret.yaml': 'token: 1', api: {} });
  const api = join(folder, 'api');
  await mkdir(join(api, 'schemas'));
  const write = (name: string, text: string) => writeFile(join(api, name), text);
  await write('openapi.yaml', 'a: {$ref: ./schemas/a%20pet.yaml#/Pet}\nb: {"$ref": "#/a"}\n'
    + "c: {$ref: '../secret.yaml'}\nd: {$ref: link.yaml}\ne: {$ref: https://x.example/y.yaml}\n"
    + 'f: {$ref: /etc/hostname}\ng: {$ref: gone.yaml}\n');
  await write('schemas/a pet.yaml', 'Pet: {$ref: "../common.json#/Name"}');
  await write('common.json', '{"Name": {"$ref": "openapi.yaml#/a"}}');
  await symlink(join(folder, 'secret.yaml'), join(api, 'link.yaml'));
  const { document, document_files } = await documentInFiles(join(api, 'openapi.yaml'));
  t.match(document, /^a: /);
  t.same(document_files, { 'schemas/a%20pet.yaml': 'Pet: {$ref: "../common.json#/Name"}',
    'common.json': '{"Name": {"$ref": "openapi.yaml#/a"}}' });
  t.notHas(await documentInFiles(join(folder, 'secret.yaml')), { document_files: {} });
  await writeFile(join(folder, 'wide.json'), '\uFEFF{"a": 1}', 'utf16le');
  t.same(await documentInFiles(join(folder, 'wide.json')), { document: '{"a": 1}' },
    'as PowerShell writes it');
  await t.rejects(documentInFiles(join(api, 'none')), { message: /cannot be read/ });
  for (const text of ['', ' \n']) {
    await write('empty.json', text);
    await t.rejects(documentInFiles(join(api, 'empty.json')),
      { exit_code: 2, message: /^The document .*empty\.json is empty\.$/ });
  }
});

t.test('a document in a pipe', async (t) => {
  const { base_url, requests } = await fakeService(t, (_request, response) =>
    json(response, 201, INTEGRATION));
  const cwd = t.testdir({ 'other.yaml': 'A: {}' });
  const env = { GATEHOUSE_BASE_URL: base_url, GATEHOUSE_ADMIN_TOKEN: 'gta_x', GATEHOUSE };
  for (const place of ['/dev/stdin', '-']) {
    const script = `printf %s '{"$ref": "other.yaml"}' | "$GATEHOUSE" integrations add github \
      --document ${place}`;
    t.match(await gatehouse(['-c', script], { cwd, env, command: '/bin/sh' }), { code: 0 });
    const { document, document_files } = requests.at(-1)!.body as Record<string, unknown>;
    t.strictSame([document, document_files], ['{"$ref": "other.yaml"}', undefined], place);
  }
});
