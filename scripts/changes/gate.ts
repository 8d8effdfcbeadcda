/**
 * No breaking change unnoticed: the document is compared with that of the last release, and what
 * breaks a client has to be allowed by name, with its reason, and told of in CHANGELOG.md.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { parse } from 'yaml';
import { ROOT, readDocument, type OpenapiDocument } from '../document.ts';
import { compareDocuments } from './compareDocuments.ts';
import type { Finding } from './findings.ts';
import { secondOpinion } from './secondOpinion.ts';

const RELEASES = new URL('releases/', ROOT);
const ALLOWED = 'releases/allowed-changes.yaml';
const REASON_CHARACTERS = 20;

/** One decision to break clients: `changes` are findings, word for word. */
export interface Allowed { changes: string[]; reason: string; changelog: string }

/** The file of the last release, below releases/. Throws unless there is exactly one. */
export function releasedFile(): URL {
  const files = readdirSync(RELEASES).filter((name) => /^openapi-.+\.json$/.test(name));
  if (files.length !== 1) {
    throw new Error(`releases/ has to hold the document of the last release alone, as `
      + `openapi-<version>.json; it holds ${files.join(', ') || 'none'}`);
  }
  return new URL(files[0]!, RELEASES);
}

/** What differs, the worst first. */
export function changesBetween(before: OpenapiDocument, after: OpenapiDocument): Finding[] {
  const found = compareDocuments(before, after);
  return [...secondOpinion(before, after, found), ...found];
}

/** How an entry of the allow list names it. */
export function nameOf({ kind, text }: Finding): string {
  return `${kind}: ${text}`;
}

/** What is wrong with the changes, a line or more for each; nothing if all of it is in order. */
export function judge(findings: Finding[], allowed: Allowed[], changelog: string): string[] {
  const breaking = findings.filter(({ kind }) => kind === 'wire' || kind === 'client-code');
  const names = new Set(breaking.map(nameOf));
  const decided = new Set(allowed.flatMap(({ changes }) => changes));
  const unreleased = oneLine(/^## \[Unreleased\]\n([^]*?)(?=^## |(?![^]))/m.exec(changelog)?.[1]
    ?? '');
  return [
    ...breaking.filter((finding) => !decided.has(nameOf(finding)))
      .map((finding) => `${nameOf(finding)}${touched(finding)}`),
    ...[...decided].filter((name) => !names.has(name))
      .map((name) => `${ALLOWED} allows what is not found (any more); remove it: ${name}`),
    ...allowed.filter(({ reason }) => oneLine(reason).length < REASON_CHARACTERS)
      .map(({ changes }) => `${ALLOWED} gives no reason why this may break clients: ${changes[0]}`),
    ...allowed.filter((entry) => oneLine(entry.changelog) === ''
      || !unreleased.includes(oneLine(entry.changelog)))
      .map((entry) => `CHANGELOG.md does not say below [Unreleased], as ${ALLOWED} promises of `
        + `"${entry.changes[0]}": ${entry.changelog}`),
  ];
}

/** The check of `make verify`: what is wrong, or null. */
export function checkChanges(): string | null {
  const findings = changesBetween(readReleased(), readDocument());
  const wrong = judge(findings, readAllowed(), readFileSync(new URL('CHANGELOG.md', ROOT), 'utf8'));
  return wrong.length === 0 ? null : wrong.join('\n');
}

export function readReleased(): OpenapiDocument {
  return JSON.parse(readFileSync(releasedFile(), 'utf8')) as OpenapiDocument;
}

/** The allow list. Throws an Error that names an entry which is not one. */
export function readAllowed(text = readFileSync(new URL(ALLOWED, ROOT), 'utf8')): Allowed[] {
  const entries: unknown = parse(text);
  if (!Array.isArray(entries)) throw new Error(`${ALLOWED} has to be a list`);
  for (const entry of entries as Partial<Allowed>[]) {
    const { changes, reason, changelog } = entry;
    const texts = [reason, changelog, ...Array.isArray(changes) ? changes : [null]];
    if (texts.length < 3 || !texts.every((each) => typeof each === 'string')) {
      throw new Error(`${ALLOWED}: an entry is {changes: [text, …], reason: text, `
        + `changelog: text}; this one is not: ${JSON.stringify(entry)}`);
    }
  }
  return entries as Allowed[];
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function touched({ operations }: Finding): string {
  const [first, second, ...more] = operations;
  if (first === undefined) return '';
  return ` (${[first, second].filter(Boolean).join(', ')}`
    + `${more.length > 0 ? ` and ${more.length} more` : ''})`;
}

if (import.meta.main) {
  for (const finding of changesBetween(readReleased(), readDocument())) {
    process.stdout.write(`${nameOf(finding)}${touched(finding)}\n`);
  }
}
