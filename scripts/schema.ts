/**
 * `make schema`: writes src/store/schema.sql, the whole schema of a database that this version has
 * set up, to be read. It is made of the catalogs, without pg_dump: whose text differs from version
 * to version, and which need not be installed.
 *
 * Usage: node scripts/schema.ts
 */
import { rm, writeFile } from 'node:fs/promises';
import { createLog } from '../src/log.ts';
import { connect, type Sql } from '../src/store/database.ts';
import { startEmbedded } from '../src/store/embedded.ts';
import { migrate } from '../src/store/migrate.ts';
import { ROOT } from './document.ts';
import { endServersIn, ownFolder } from './leftovers.ts';

export const SCHEMA_FILE = 'src/store/schema.sql';

const HEAD = `-- The schema that the migrations and functions beside this file make, in one piece.
-- Made by \`make schema\`, and never applied: change a migration or a function, and make it anew.
-- Partitions of weeks are left out, which nodes make while they run.
`;

/**
 * The text of schema.sql. Throws if the database has something that it would not tell of.
 * `sql` leads to a database that is migrated.
 */
export async function schemaText(sql: Sql): Promise<string> {
  await refuseUntold(sql);
  const tables = (await tablesOf(sql)).map(tableText);
  const functions = (await functionsOf(sql)).map((text) => wrapped(text, '--   ')).join('');
  const triggers = (await triggersOf(sql)).map((text) => wrapped(`${text};`)).join('');
  return [HEAD, ...tables, `-- The functions, each in a file of its own.\n${functions}`, triggers]
    .join('\n');
}

const LINE_CHARACTERS = 100;

/** Words as the server divides them: what stands in quotes is kept as it is. */
const WORD = /(?:'[^']*'|"[^"]*"|[^\s'"])+/g;

/**
 * A statement, or a part of one, as lines, with the server's keywords in small letters: it puts in
 * quotes whatever name has others.
 */
function wrapped(text: string, indent = '    '): string {
  const words = text.match(WORD)!.map((word) => word
    .replaceAll(/'[^']*'|"[^"]*"|[^'"]+/g, (part) =>
      /^['"]/.test(part) ? part : part.toLowerCase()));
  const lines = [/^ */.exec(text)![0] + words[0]!];
  for (const word of words.slice(1)) {
    const last = lines.at(-1)!;
    if (last.length + 1 + word.length > LINE_CHARACTERS) lines.push(indent + word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.map((line) => `${line}\n`).join('');
}

/** What is of the schema, and of no extension. */
const OURS = "'public'::regnamespace";

/** A kind of thing that is new here must not be missing without a word. */
async function refuseUntold(sql: Sql): Promise<void> {
  const rows = await sql.unsafe<{ what: string }[]>(`
    select 'relation ' || relname as what from pg_class
      where relnamespace = ${OURS} and relkind not in ('r', 'p', 'i', 'I', 'S', 't')
    union all select 'sequence ' || relname from pg_class c
      where relnamespace = ${OURS} and relkind = 'S' and not exists (
        select from pg_depend d where d.classid = 'pg_class'::regclass
          and d.objid = c.oid and d.deptype = 'i')
    union all select 'type ' || typname from pg_type
      where typnamespace = ${OURS} and typtype not in ('b', 'c')
    union all select 'generated column ' || attname from pg_attribute
      join pg_class c on c.oid = attrelid
      where relnamespace = ${OURS} and attgenerated <> ''
    union all select 'replica identity of ' || relname from pg_class
      where relnamespace = ${OURS} and relkind in ('r', 'p') and relreplident not in ('d', 'f')
    union all select 'statistics ' || stxname from pg_statistic_ext
    union all select 'policy ' || polname from pg_policy
    union all select 'extension ' || extname from pg_extension where extname <> 'plpgsql'
    order by 1`);
  if (rows.length === 0) return;
  throw new Error(`scripts/schema.ts cannot tell of these, and must learn it: ${
    rows.map(({ what }) => what).join(', ')}.`);
}

interface Table {
  name: string;
  /** How it is partitioned, if it is. */
  parted: string | null;
  /** Of a partition: its parent, and which rows of that it has. */
  part_of: string | null;
  bound: string | null;
  options: string | null;
  /** Whether a subscriber finds a row by all of it, not by its key. */
  replicated_whole: boolean;
  columns: string[];
  constraints: string[];
  indexes: string[];
}

/**
 * Every table but the partitions of weeks. A constraint that says no more than "not null" is one of
 * a column, whether or not the server's version keeps it among the constraints.
 */
async function tablesOf(sql: Sql): Promise<Table[]> {
  return await sql.unsafe<Table[]>(`
    select c.relname as name, pg_get_partkeydef(c.oid) as parted,
      (select inhparent::regclass::text from pg_inherits where inhrelid = c.oid) as part_of,
      pg_get_expr(c.relpartbound, c.oid) as bound, array_to_string(c.reloptions, ', ') as options,
      relreplident = 'f' as replicated_whole,
      array(
        select format('%s %s', quote_ident(attname), format_type(atttypid, atttypmod))
          || case when attcollation = typcollation then ''
            else (select format(' collate %I', collname) from pg_collation l
              where l.oid = attcollation) end
          || case when attnotnull then ' not null' else '' end
          || case attidentity when 'a' then ' generated always as identity'
            when 'd' then ' generated by default as identity' else '' end
          || coalesce(' default ' || pg_get_expr(adbin, adrelid, true), '')
          || case when attstorage = typstorage then ''
            else ' storage ' || case attstorage when 'e' then 'external' when 'm' then 'main'
              when 'x' then 'extended' else 'plain' end end
        from pg_attribute a join pg_type t on t.oid = atttypid
        left join pg_attrdef d on d.adrelid = attrelid and d.adnum = attnum
        where attrelid = c.oid and attnum > 0 and not attisdropped order by attnum) as columns,
      array(
        select format('constraint %I %s', conname, pg_get_constraintdef(k.oid, true))
        from pg_constraint k where conrelid = c.oid and contype in ('p', 'u', 'f', 'c', 'x')
        order by position(contype::text in 'pufcx'), conname collate "C") as constraints,
      array(
        select pg_get_indexdef(indexrelid, 0, true) from pg_index i
        join pg_class n on n.oid = indexrelid
        where indrelid = c.oid and not exists (
          select from pg_constraint k where k.conindid = indexrelid and k.conrelid = c.oid)
        order by n.relname collate "C") as indexes
    from pg_class c
    where relnamespace = ${OURS} and relkind in ('r', 'p')
      and (not relispartition or pg_get_expr(c.relpartbound, c.oid) = 'DEFAULT')
    order by relname collate "C"`);
}

function tableText(table: Table): string {
  const { name, parted, part_of, bound, options, columns, constraints } = table;
  if (part_of !== null) return wrapped(`create table ${name} partition of ${part_of} ${bound};`);
  const tail = [...parted === null ? [] : [`partition by ${parted}`],
    ...options === null ? [] : [`with (${options})`]];
  const parts = [...columns, ...constraints];
  const more = [...table.indexes,
    ...table.replicated_whole ? [`alter table ${name} replica identity full`] : []];
  return `create table ${name} (\n${
    parts.map((part, i) => wrapped(`  ${part}${i < parts.length - 1 ? ',' : ''}`)).join('')}${
    wrapped(`${[')', ...tail].join(' ')};`)}${
    more.map((statement) => wrapped(`${statement};`)).join('')}`;
}

async function functionsOf(sql: Sql): Promise<string[]> {
  const rows = await sql.unsafe<{ text: string }[]>(`
    select format('-- %s(%s) returns %s', proname, pg_get_function_arguments(oid),
      pg_get_function_result(oid)) as text
    from pg_proc where pronamespace = ${OURS} order by proname collate "C"`);
  return rows.map(({ text }) => text);
}

async function triggersOf(sql: Sql): Promise<string[]> {
  const rows = await sql.unsafe<{ text: string }[]>(`
    select pg_get_triggerdef(t.oid, true) as text from pg_trigger t
    join pg_class c on c.oid = tgrelid
    where relnamespace = ${OURS} and not tgisinternal and not relispartition
    order by relname collate "C", tgname collate "C"`);
  return rows.map(({ text }) => text);
}

/** The text for this checkout, by a database that is made for it and thrown away. */
async function currentText(): Promise<string> {
  const data_dir = ownFolder('schema');
  try {
    const server = await startEmbedded({ data_dir, log: createLog('warn'), throw_away: true });
    const sql = connect(server.url, { max: 2 });
    try {
      await migrate(sql);
      return await schemaText(sql);
    } finally {
      await sql.end();
      await server.stop();
    }
  } finally {
    await endServersIn(data_dir);
    await rm(data_dir, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  await writeFile(new URL(SCHEMA_FILE, ROOT), await currentText());
  console.log(`wrote ${SCHEMA_FILE}`);
}
