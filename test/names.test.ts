/**
 * One name, one thing. Who searches for an exported name finds one declaration of it, and a type
 * says the same wherever it is read. The dashboard is another program, and has names of its own.
 */
import { dirname } from 'node:path';
import t from 'tap';
import { declaredNames, type DeclaredName } from './support/declaredNames.ts';
import { filesBelow, read } from './support/sourceTree.ts';

/** Exported more than once, and why. */
const ALLOWED: Readonly<Record<string, string>> = {
  listDashboardSessions: 'the rows of the store, and the operation that shows just these',
};

const inSrc = filesBelow('src').filter((path) => /\.tsx?$/.test(path)).flatMap(declaredNames);
const ofService = inSrc.filter(({ path }) => !path.startsWith('src/dashboard/'));

/** The declarations of each name, in the order of the names; a file declares a name once. */
function byName(names: readonly DeclaredName[]): [string, DeclaredName[]][] {
  return [...Map.groupBy(names, ({ name }) => name)]
    .map(([name, all]): [string, DeclaredName[]] =>
      [name, all.filter(({ path }, at) => all.findIndex((one) => one.path === path) === at)])
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

const told = ([name, all]: [string, DeclaredName[]]) =>
  `${name}: ${all.map(({ path }) => path).join(', ')}`;

t.test('an exported name is declared once', async (t) => {
  const exported = byName(ofService.filter(({ is_exported }) => is_exported));
  t.ok(exported.length > 1_000, 'names are found');
  const repeated = exported.filter(([, all]) => all.length > 1);
  t.strictSame(repeated.filter(([name]) => !(name in ALLOWED)).map(told), []);
  t.strictSame(Object.keys(ALLOWED).filter((name) => !repeated.some(([one]) => one === name)), [],
    'what is declared once needs no leave');
});

t.test('no type has the name of an exported one of another file', async (t) => {
  const types = byName(ofService.filter(({ is_type }) => is_type));
  t.strictSame(types.filter(([, all]) => all.length > 1
    && all.some(({ is_exported }) => is_exported)).map(told), []);
});

t.test('nothing hides a global', async (t) => {
  const globals = new Set(Object.getOwnPropertyNames(globalThis));
  t.ok(['Response', 'Request', 'Headers', 'Event', 'Error', 'fetch']
    .every((name) => globals.has(name)));
  t.strictSame(byName(inSrc.filter(({ name }) => globals.has(name))).map(told), []);
});

t.test('the glossary names what there is, each word once', async (t) => {
  const rows = read('docs/glossary.md').split('\n').filter((line) => /^\| (?!word \|)/.test(line))
    .map((line) => line.split('|').slice(1, -1).map((cell) => cell.trim()));
  t.ok(rows.length > 40, 'rows are found');
  const isThere = (place: string) => {
    const [, name, path] = /^`(\w+)`, `([\w./]+)`$/.exec(place) ?? [];
    return path !== undefined && filesBelow(dirname(path)).includes(path)
      && new RegExp(`^ *((export|const|class|interface|type|async|function) )*${name}\\b`, 'm')
        .test(read(path));
  };
  t.strictSame(rows.filter(([, , place]) => !isThere(place ?? '')), []);
  t.equal(new Set(rows.map(([word]) => word)).size, rows.length);
});
