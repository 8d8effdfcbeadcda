/** Whether a query is outside of all that there is. */
import t from 'tap';
import { fitOf } from '../../../src/gateway/catalogue/searchFit.ts';
import { readQuery } from '../../../src/gateway/catalogue/searchQuery.ts';
import { definition, searched } from '../support.ts';

const NOUNS = ['invoice', 'parcel', 'server', 'contract', 'playlist', 'webinar'];
const VERBS = ['create', 'list', 'delete', 'update'];
const actions = Array.from({ length: 600 }, (_, i) => {
  const title = `${VERBS[i % 4]} the ${NOUNS[i % 6]} of region ${i}`;
  return definition({ integration: 'desk', name: `desk.${NOUNS[i % 6]}s.${VERBS[i % 4]}_${i}`,
    title, description: title, source_key: `x${i}` });
});
const desk = searched(actions);
const fit = (query: string) => fitOf(readQuery(query, [desk]));

t.test('a word that begins an order and that nobody knows does not make it strange', async (t) => {
  t.same(fit('frobnicate a parcel'), { unknown_words: ['frobnicate'], is_outside: false });
  t.same(fit('create a frobnitz'), { unknown_words: ['frobnitz'], is_outside: true });
  t.equal(fit('what frobnitz has the parcel yodeled').is_outside, true, 'a question has none');
});

t.test('a phrase is one thing: none of its words is unknown if it is found', async (t) => {
  t.same(fit('spin up a server'), { unknown_words: [], is_outside: false });
  t.same(fit('spin a yarn').unknown_words, ['spin', 'yarn']);
});

t.test('numbers and places with numbers are no strangers', async (t) => {
  t.same(fit('list 443 invoices'), { unknown_words: [], is_outside: false });
  t.same(fit('list B7 to Q19'), { unknown_words: [], is_outside: false });
});

t.test('days and months are no strangers', async (t) => {
  t.same(fit('list the invoices of last month, straight from March and Sept'),
    { unknown_words: [], is_outside: false });
});

t.test('a name is less of a stranger than what is to be done', async (t) => {
  const query = 'list the parcel of Okafor and Lindqvist and Brennan';
  t.same(fit(query),
    { unknown_words: ['okafor', 'lindqvist', 'brennan'], is_outside: false });
  t.equal(fit(query.toLowerCase()).is_outside, true);
  t.equal(fit('List The Parcel Of Okafor And Lindqvist And Brennan').is_outside, true,
    'where all words have a capital, it says nothing');
});

t.test('what something holds is not asked for', async (t) => {
  t.same(fit('list webinars about sourdough'), { unknown_words: [], is_outside: false });
  t.same(fit('create a playlist called Frobnitz Yarn'), { unknown_words: [], is_outside: false });
  t.equal(fit('list frobnitz yarn sourdough webinars').is_outside, true);
  t.same(fit('about frobnitz yarn'), { unknown_words: ['frobnitz', 'yarn'], is_outside: true },
    'a query that begins so asks for just that');
});

t.test('a known service that is not connected is not replaced by another one', async (t) => {
  t.same(fit('create a contract in salesforce'),
    { unknown_words: ['salesforce'], is_outside: true });
  t.same(fit('create a contract in desk for salesforce'),
    { unknown_words: ['salesforce'], is_outside: false }, 'it says which one it means');
  t.same(fit('create a contract about salesforce'), { unknown_words: [], is_outside: false });
  const title = 'create the contract of a salesforce account';
  const knowing = [definition({ name: 'crm.contracts.create', title, description: title })];
  t.same(fitOf(readQuery('create a contract in salesforce', [desk, searched(knowing)])),
    { unknown_words: [], is_outside: false });
});

t.test('a product that something is about is not the place where it is to be done', async (t) => {
  for (const query of [
    'create a contract for the Stripe webhook failure',
    'create a contract: GitHub login is broken',
    'create a contract - GitHub login is broken',
    'create a contract "GitHub login is broken"',
    'create a contract ‘Shopify is down’ in the region',
    'create a contract for failing logins with GitHub',
  ]) t.equal(fit(query).is_outside, false, query);
  for (const query of [
    'create a contract for Stripe', 'create a contract for our Stripe, please',
    'create a contract for Okafor in Salesforce', 'create a Salesforce contract for Okafor',
    'create a contract in "Salesforce"', 'create a contract in Salesforce: the one of Okafor',
    'Salesforce: create a contract', 'contract: create a lead in Salesforce',
    '"create a contract in Salesforce"', 'create a dossier for the Stripe webhook failure',
  ]) t.equal(fit(query).is_outside, true, query);
});

t.test('what the caller does not see is not known', async (t) => {
  const asked = readQuery('list the playlists', [desk]);
  t.same(fitOf(asked, ({ name }) => !name.includes('playlist')).unknown_words, ['playlists']);
  t.same(fitOf(asked).unknown_words, []);
});

t.test('what the caller does not see makes nothing content', async (t) => {
  const asked = readQuery('create a playlist for the Stripe webhook failure', [desk]);
  t.equal(fitOf(asked).is_outside, false);
  t.equal(fitOf(asked, ({ name }) => !name.includes('playlist')).is_outside, true);
});
