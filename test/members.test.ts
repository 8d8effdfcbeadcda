/** What is exported is used: what tests alone read, or nobody, is a finding. */
import t from 'tap';
import { buildDashboard } from '../scripts/dashboard.ts';
import { unusedDashboardMembers, unusedMembers } from './support/members.ts';

const SEEN_BY_TESTS = 'tests look at a bound, or wait for a state, that nothing else shows';
const EMBEDDER = 'whoever starts the service within a program, as tests do, needs it';
const COLUMN = 'a column of the row, which is read whole';

/** What nothing in src/ or scripts/ reads, and why it stays; `.*` stands for every member. */
const ALLOWED: Readonly<Record<string, string>> = {
  'src/cli/inputs.ts: Input.gives': 'it holds no value: it carries the type of an input',
  'src/gateway/action/outcome.ts: Missing.*':
    'the record, the result of the tool and the HTTP answer hold it whole',
  'src/gateway/calls/inputValidators.ts: InputValidators.size': SEEN_BY_TESTS,
  'src/models/embedder.ts: EmbeddingError.*':
    'the gateway, which knows no models, reads it as an EmbedFailure',
  'src/models/model.ts: Model.key': 'tests see which model a name has led to',
  'src/models/providerState.ts: StoredPart.provider_id':
    'it is stored, so that a run tells what the provider called the part',
  'src/service.ts: Service.metrics_url': EMBEDDER,
  'src/service.ts: Service.port': EMBEDDER,
  'src/store/integrations.ts: StoredAction.integration': COLUMN,
  'src/store/locks.ts: LOCKS_OF_FUNCTIONS':
    'functions of the database take them by themselves, and a test holds them against the list',
  'src/store/runEvents.ts: ToolCallEventRow.seq': COLUMN,
};

t.test('what is exported is read, each member of it too', async (t) => {
  const wholes = Object.keys(ALLOWED).filter((name) => name.endsWith('.*'));
  const unused = [...new Set(unusedMembers().map((name) =>
    wholes.find((whole) => name.startsWith(whole.slice(0, -1))) ?? name))];
  t.strictSame(unused.filter((name) => !(name in ALLOWED)), []);
  t.strictSame(Object.keys(ALLOWED).filter((name) => !unused.includes(name)), [],
    'what is used needs no leave');
});

t.test('the same of the dashboard', async (t) => {
  await buildDashboard('client');
  t.strictSame(unusedDashboardMembers(), []);
});
