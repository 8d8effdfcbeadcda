/** The gate of `make verify`: each planted change gets its class, and none that breaks passes. */
import t from 'tap';
import { compareDocuments } from '../../scripts/changes/compareDocuments.ts';
import {
  changesBetween, checkChanges, judge, nameOf, readAllowed, readReleased, releasedFile,
  type Allowed,
} from '../../scripts/changes/gate.ts';
import { secondOpinion } from '../../scripts/changes/secondOpinion.ts';
import { readDocument, type OpenapiDocument } from '../../scripts/document.ts';
import { Draft, type Planted } from './planted.ts';
import { OPERATIONS, PARAMETERS, REQUESTS } from './plantedRequests.ts';
import { HARMLESS, NAMES, RESPONSES } from './plantedResponses.ts';

const PLANTED = [...OPERATIONS, ...PARAMETERS, ...REQUESTS, ...RESPONSES, ...NAMES, ...HARMLESS];
const document = readDocument();

/** The document before and after a planted change. */
function plant({ before, change }: Planted): [OpenapiDocument, OpenapiDocument] {
  const draft = new Draft(document);
  before?.(draft);
  const old = before ? structuredClone(draft.document) : document;
  change(draft);
  // Without what was set to undefined.
  return [old, JSON.parse(JSON.stringify(draft.document))];
}

const planted = (name: string) => plant(PLANTED.find((each) => each.name === name)!);

t.test('each planted change is what it is', async (t) => {
  t.ok(PLANTED.length >= 140, `${PLANTED.length} of them`);
  t.equal(new Set(PLANTED.map(({ name }) => name)).size, PLANTED.length, 'each once');
  for (const each of PLANTED) {
    const findings = compareDocuments(...plant(each));
    const worst = findings[0]?.kind ?? null;
    t.equal(worst, each.expected, each.name, { findings: findings.slice(0, 5).map(nameOf) });
    if (!each.says) continue;
    const said = findings.filter(({ kind }) => kind === worst)
      .map(({ text, operations }) => `${text} (${[...operations].join(', ')})`);
    t.ok(said.some((text) => each.says!.test(text)), `${each.name}: it says where`, { said });
  }
});

t.test('a change that is seen in many operations is one finding', async (t) => {
  const findings = compareDocuments(...planted('ids may be longer'));
  const [one, ...others] = findings.filter(({ kind }) => kind === 'wire');
  t.match(one, { text: 'response Id: maxLength 128 → 256' });
  t.strictSame(others, []);
  t.ok(one!.operations.size > 10);
});

t.test('the second opinion speaks where the rules are silent, and only there', async (t) => {
  const texts = (name: string) => secondOpinion(...planted(name), []).map(({ text }) => text);
  t.match(texts('an operation is removed').join(), /^cancelRun .*says api-smart-diff/);
  t.match(texts('a member may be absent').join(), /getRun .*required/);
  t.strictSame(texts('null is said in another way'), []);
  t.strictSame(texts('what holds anyway is said'), []);
  const { length } = changesBetween(...planted('a member may be absent'));
  t.equal(length, compareDocuments(...planted('a member may be absent')).length,
    'nothing is said twice');
});

t.test('what breaks clients passes with a reason and a line of the changelog', async (t) => {
  const findings = compareDocuments(...planted('a member may be absent'));
  const name = 'wire: response Run /usage: may be absent';
  const entry: Allowed = {
    changes: [name], reason: 'The usage of a run is not always known.',
    changelog: '`usage` of a run may be absent',
  };
  const changelog = '# Changelog\n\n## [Unreleased]\n\n- Hello, and `usage` of a run\n'
    + '  may be absent.\n\n## [0.1.0]\n\n- The first.\n';
  t.match(judge(findings, [], changelog),
    [/^wire: response Run \/usage: may be absent \(createRun, getRun and 1 more\)$/]);
  t.strictSame(judge(findings, [entry], changelog), []);
  t.match(judge([], [entry], changelog), [/what is not found \(any more\); remove it: wire: resp/]);
  t.match(judge(findings, [{ ...entry, reason: 'because' }], changelog), [/no reason/]);
  t.match(judge(findings, [{ ...entry, changelog: 'x' }], changelog), [/does not say below/]);
  t.match(judge(findings, [{ ...entry, changelog: ' ' }], changelog), [/does not say below/]);
  t.match(judge(findings, [{ ...entry, changelog: 'The first.' }], changelog),
    [/does not say below/], 'a line of a version that is out');
  t.match(judge(findings, [{ ...entry, changes: [`${name} x`] }], changelog),
    [/^wire: response Run/, /not found/], 'it is named word for word');
  const additive = compareDocuments(...planted('a member is added'));
  t.strictSame(judge(additive, [], ''), [], 'what is added needs no permission');
});

t.test('an allow list that is none is refused, with the entry', async (t) => {
  t.strictSame(readAllowed('[]'), []);
  t.throws(() => readAllowed('a: 1'), /has to be a list/);
  t.throws(() => readAllowed('- {changes: [], reason: x, changelog: y}'), /this one is not: .*"x"/);
  t.throws(() => readAllowed('- {changes: [a], changelog: y}'), /this one is not/);
});

t.test('the document breaks no client of the last release unnoticed', async (t) => {
  t.equal(checkChanges(), null);
});

t.test('the document of the last release is there, and is what its name says', async (t) => {
  t.equal(releasedFile().pathname.split('/').at(-1),
    `openapi-${readReleased().info.version}.json`);
});
