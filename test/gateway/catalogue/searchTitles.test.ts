/** Integrations are meant by their titles, as agents are shown them, as well as by their slugs. */
import t from 'tap';
import { rank } from '../../../src/gateway/catalogue/search.ts';
import { fitOf } from '../../../src/gateway/catalogue/searchFit.ts';
import type { IndexedSource } from '../../../src/gateway/catalogue/searchIndex.ts';
import { readQuery } from '../../../src/gateway/catalogue/searchQuery.ts';
import { definition, searched } from '../support.ts';

function service(slug: string, title: string, nouns: readonly string[]): IndexedSource {
  return searched(nouns.flatMap((noun) => ['create', 'list', 'delete'].map((verb) => definition({
    integration: slug, name: `${slug}.${noun}.${verb}`, title: `${verb} ${noun}`,
    description: `${verb} ${noun}`, source_key: `POST /${noun}/${verb}` }))), title);
}

const crm = service('crm', 'Salesforce CRM', ['leads', 'accounts']);
const sales = service('sales', 'PostHog for Sales', ['leads', 'events', 'posts']);
const parcels = service('pt', 'Parcel Tracking REST API v2', ['parcels']);
const first = (query: string, ...sources: IndexedSource[]) => {
  const asked = readQuery(query, sources);
  const { is_outside, unknown_words } = fitOf(asked);
  return is_outside ? unknown_words : rank(asked, 1, ({ name }) => name)[0]?.action;
};

t.test('who says what the title of an integration says means that one', async (t) => {
  t.equal(first('create a lead in Salesforce', crm), 'crm.leads.create');
  t.equal(first('Salesforce leads', crm), 'crm.leads.list');
  t.equal(first('create a lead in Salesforce', sales, crm), 'crm.leads.create');
  t.equal(first('create a lead in PostHog', crm, sales), 'sales.leads.create', 'as it is written');
  t.equal(first('create a lead in posthog', crm, sales), 'sales.leads.create');
  t.same(first('create a lead in salesforce', sales), ['salesforce'], 'it is not connected');
});

t.test('words of a title that say what there is to do name nothing', async (t) => {
  const named = (query: string, ...sources: IndexedSource[]) => readQuery(query, sources).terms
    .filter(({ names_integration }) => names_integration).map(({ said }) => said);
  t.same(named('track a parcel by the rest api v2', parcels, crm), []);
  t.same(named('show the posts of PostHog', sales), []);
  t.same(named('a salesforce account of crm', crm), ['salesforce', 'crm']);
  t.equal(first('track a lead', parcels, crm), 'crm.leads.list');
  t.equal(first('delete a parcel', parcels, crm), 'pt.parcels.delete');
});
