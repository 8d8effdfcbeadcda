/** Documents of any version of OpenAPI, brought to 3.1. */
import { upgradeFromTwoToThree } from '@scalar/openapi-upgrader/2.0-to-3.0';
import { isObject, wordOf, type JsonObject } from '../../json.ts';
import { DocumentError } from './documentError.ts';
import { prepareSwagger } from './swagger.ts';

export interface Upgraded {
  document: JsonObject;
  from: '2.0' | '3.0' | '3.1' | '3.2';
}

/**
 * A copy of `document` as OpenAPI 3.1. From 3.0 only the version changes where the importer looks:
 * schemaKeywords.ts reads schemas of both dialects. `document_url`: the address of the document.
 * Throws DocumentError for anything but an OpenAPI document.
 */
export function upgradeDocument(document: JsonObject, document_url?: string): Upgraded {
  const from = versionOf(document);
  if (from !== '2.0') return { document: { ...document, openapi: '3.1.0' }, from };
  const prepared = prepareSwagger(document, document_url);
  const { servers } = prepared;
  let upgraded: unknown;
  try {
    upgraded = upgradeFromTwoToThree(prepared);
  } catch (error) {
    throw new DocumentError('The Swagger 2.0 document cannot be brought to OpenAPI 3:'
      + ` ${String(error)}. Convert it to OpenAPI 3 and give that.`);
  }
  return { document: { ...upgraded as JsonObject, servers, openapi: '3.1.0' }, from };
}

function versionOf(document: JsonObject): Upgraded['from'] {
  // `swagger: 2.0` without quotation marks is a number in YAML.
  const version = (wordOf(document.openapi) ?? wordOf(document.swagger))?.trim();
  const known = /^(2(?:\.0)?|3(?:\.[0-2])?)(\.|$)/.exec(version ?? '')?.[1];
  if (known !== undefined) return known === '2' ? '2.0' : known === '3' ? '3.0' : known as '3.1';
  if (version !== undefined) {
    throw new DocumentError(`OpenAPI ${version.slice(0, 40)} is not known here. Give a document of`
      + ' version 2.0, 3.0, 3.1 or 3.2.');
  }
  throw new DocumentError(`This is ${whatItIs(document)}, not an OpenAPI document: it has neither`
    + ' `openapi` nor `swagger` at its top. Give an OpenAPI document of version 2.0, 3.0, 3.1 or'
    + ' 3.2.');
}

function whatItIs(document: JsonObject): string {
  if ('asyncapi' in document) return 'an AsyncAPI document';
  if (isObject(document.info) && '_postman_id' in document.info) return 'a Postman collection';
  if ('swaggerVersion' in document) return 'a document of Swagger 1';
  if ('discoveryVersion' in document) return 'a Google discovery document';
  if ('$schema' in document) return 'a JSON Schema';
  return 'some other object';
}
