/** What tsc refuses: the types of operations are a guarantee, so they are tested like one. */
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import t from 'tap';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const HEAD = `import type { Operation, Operations } from './src/operations/operation.ts';
declare const run: import('./generated/types.ts').components['schemas']['Run'];
declare const events: AsyncIterable<{ sequence_number: number; type: string; json: string }[]>;
declare const operations: Operations;
`;
const CASES: Record<string, { code: string; refused: RegExp | null }> = {
  'every operation, with what it declares': {
    code: `export const all: Operations = { ...operations,
      getRun: async ({ params, caller }) => {
        const id: string = params.path.run_id + caller.workspace_id;
        return { status: 200, body: run, headers: { A: id } };
      },
      createRun: async ({ body, accepts }) => body.stream ? { status: 200, events }
        : accepts.event_stream ? { status: 200, body: run } : { status: 202, body: run },
      revokeApiKey: async ({ caller }) => {
        const none: null = caller;
        void none;
        return { status: 204 };
      },
      listRuns: async ({ params: { query: { limit, order } } }) => {
        const n: number = limit; const o: 'asc' | 'desc' = order; void n; void o;
        return { status: 200,
          body: { object: 'list', data: [], has_more: false, next_cursor: null } };
      },
      createSession: async ({ body }) => { const title: string | null | undefined = body?.title;
        void title; throw new Error(); },
      getOpenapiDocument: async () => ({ status: 200, raw: '{}' }) };`,
    refused: null,
  },
  'a missing operation': {
    code: `const { getRun: _none, ...rest } = operations; export const all: Operations = rest;`,
    refused: /Property 'getRun' is missing/,
  },
  'an undeclared status': {
    code: `export const one: Operation<'getRun'> = async () => ({ status: 201, body: run });`,
    refused: /'201' is not assignable to type '200'/,
  },
  'an error as a reply': {
    code: `export const one: Operation<'getRun'> = async () =>
      ({ status: 404, body: { error: 'x', code: 'not_found', param: null, request_id: 'r' } });`,
    refused: /'404' is not assignable to type '200'/,
  },
  'a wrong body': {
    code: `export const one: Operation<'getRun'> = async () =>
      ({ status: 200, body: { ...run, status: 'finished' } });`,
    refused: /'"finished"' is not assignable to type/,
  },
  'a body that lacks a field': {
    code: `const { id: _id, ...rest } = run;
      export const one: Operation<'getRun'> = async () => ({ status: 200, body: rest });`,
    refused: /Property 'id' is missing/,
  },
  'events where none are declared': {
    code: `export const one: Operation<'getRun'> = async () => ({ status: 200, events });`,
    refused: /Property 'body' is missing/,
  },
  'raw text anywhere but in the document': {
    code: `export const one: Operation<'getRun'> = async () => ({ status: 200, raw: '{}' });`,
    refused: /Property 'body' is missing/,
  },
  'the caller of an operation without one': {
    code: `export const one: Operation<'getWorkspace'> = async ({ caller }) => {
      caller.workspace_id; throw new Error(); };`,
    refused: /'caller' is possibly 'null'/,
  },
};

t.test('tsc accepts what is declared and refuses the rest', async (t) => {
  const files = new Map(Object.values(CASES).map(({ code }, index) =>
    [`${root}/case${index}.ts`, HEAD + code]));
  const { config } = ts.readConfigFile(`${root}/tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(
    { ...config, include: [], files: [] }, ts.sys, root);
  const host = ts.createCompilerHost({ ...options, noUnusedLocals: false });
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.readFile = (name) => files.get(name) ?? readFile(name);
  host.getSourceFile = (name, target, ...rest) => files.has(name)
    ? ts.createSourceFile(name, files.get(name)!, target) : getSourceFile(name, target, ...rest);
  const program = ts.createProgram([...files.keys()], { ...options, noUnusedLocals: false }, host);
  Object.entries(CASES).forEach(([title, { refused }], index) => {
    const source = program.getSourceFile(`${root}/case${index}.ts`)!;
    const messages = [
      ...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source),
    ].map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
    if (refused === null) t.strictSame(messages, [], title);
    else t.match(messages.join('\n'), refused, title);
  });
});
