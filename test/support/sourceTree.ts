/** The repository as text: its files, what each imports, how long its functions are. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Made by tools, or by running the service: not ours to keep tidy. */
const FOREIGN = new Set(['node_modules', '.git', '.tap', '.gatehouse', 'dist']);

/** Paths of all files below a folder of the repository (`''`: all), relative to its root. */
export function filesBelow(folder: string, extension = ''): string[] {
  if (!existsSync(join(ROOT, folder))) return [];
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (FOREIGN.has(entry.name)) return [];
    if (entry.isDirectory()) return filesBelow(path, extension);
    return path.endsWith(extension) ? [path] : [];
  }).sort();
}

export function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

export interface Source {
  path: string;
  lines: string[];
  /** Paths of the files of this repository that it imports, types included. */
  files: string[];
  /** Names of the packages that it imports or resolves; a name ending in / is a whole scope. */
  packages: string[];
  functions: { name: string; line: number; lines: number }[];
}

/** Reads a TypeScript or JavaScript file. */
export function readSource(path: string): Source {
  const text = read(path);
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const source: Source = { path, lines: text.split('\n'), files: [], packages: [], functions: [] };
  const visit = (node: ts.Node): void => {
    const specifier = specifierOf(node);
    if (specifier !== undefined) addImport(source, specifier);
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      source.functions.push(measure(node, tree));
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return source;
}

/** What a node imports: by declaration, by `import()`, or resolved by its name. */
function specifierOf(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
    return textOf(node.moduleSpecifier);
  }
  if (ts.isImportTypeNode(node)) {
    return ts.isLiteralTypeNode(node.argument) ? textOf(node.argument.literal) : undefined;
  }
  if (ts.isCallExpression(node)) {
    const { expression } = node;
    const resolves = expression.kind === ts.SyntaxKind.ImportKeyword
      || (ts.isPropertyAccessExpression(expression) && expression.name.text === 'resolve'
        && /require/i.test(expression.expression.getText()));
    return resolves ? textOf(node.arguments[0]) : undefined;
  }
  // A file that is started or served by its address: new URL('./worker.ts', import.meta.url).
  if (ts.isNewExpression(node) && node.expression.getText() === 'URL') {
    const address = textOf(node.arguments?.[0]);
    return address && /\.[jt]s$/.test(address) ? address.replace(/^(?!\.)/, './') : undefined;
  }
  return undefined;
}

/** The text of a string; of a template, what stands before its first value. */
function textOf(node: ts.Node | undefined): string | undefined {
  if (node === undefined) return undefined;
  if (ts.isTemplateExpression(node)) return node.head.text || undefined;
  return ts.isStringLiteralLike(node) ? node.text : undefined;
}

function addImport(source: Source, specifier: string): void {
  if (specifier.startsWith('.')) {
    source.files.push(normalize(join(dirname(source.path), specifier)));
  } else if (!/^(node:|#)/.test(specifier)) {
    // `#client/…` is made of the document, below dist/.
    source.packages.push(packageOf(specifier));
  }
}

/** `@scope/name/file.js` → `@scope/name`, `name/file.js` → `name`, `@scope/` → `@scope/`. */
function packageOf(specifier: string): string {
  const [scope, name] = specifier.split('/');
  return scope!.startsWith('@') ? `${scope}/${name ?? ''}` : scope!;
}

function measure(node: ts.SignatureDeclaration, tree: ts.SourceFile): Source['functions'][number] {
  const first = tree.getLineAndCharacterOfPosition(node.getStart()).line;
  const last = tree.getLineAndCharacterOfPosition(node.getEnd()).line;
  const name = node.name?.getText() ?? 'a function';
  return { name, line: first + 1, lines: last - first + 1 };
}

/** All files that are reached from these by imports, these included. */
export function reachable(sources: ReadonlyMap<string, Source>, from: string[]): Set<string> {
  const reached = new Set(from);
  for (const path of reached) {
    for (const file of sources.get(path)?.files ?? []) reached.add(file);
  }
  return reached;
}
