/** Which action a tool of its own stands for. */
import t from 'tap';
import { Inventory } from '../../src/gateway/catalogue/inventory.ts';
import { VisibleActions } from '../../src/gateway/catalogue/visibility.ts';
import { chosenBy } from '../../src/mcp/chosenActions.ts';
import { toolNameOf } from '../../src/mcp/toolNames.ts';
import { caller, connection, definition, grant, source } from '../gateway/support.ts';

const LONG = `github.${'repositories.'.repeat(5)}list`;
const NAMES = ['github.issues.list', 'github.a_b.list', 'github.a-b.list', 'github.b.list', LONG,
  ...Array.from({ length: 100 }, (_, nth) => `other.things.list_${nth}`),
  ...Array.from({ length: 100 }, (_, nth) => `other.things.list-${nth}`)];

/** Counts the actions that somebody goes through, one after the other. */
class Counted extends Inventory {
  gone_through = 0;

  override* after(name: string) {
    for (const each of super.after(name)) {
      this.gone_through += 1;
      yield each;
    }
  }
}

const inventory = new Counted(['github', 'other'].map((slug) => source(NAMES
  .filter((name) => name.startsWith(slug))
  .map((name) => definition({ name, integration: slug, source_key: name })), slug)));
const visible = new VisibleActions(caller, inventory, {
  connections: [connection(), connection({ id: 'con_2', integration: 'other' })],
  grants: [grant({ actions: 'github.b.*', decision: 'deny' })] });
const nameBy = (tool: string, patterns: string[]) =>
  chosenBy(tool, visible, patterns)?.definition.name;

t.test('a tool stands for the action whose tool it is, if that was chosen', async (t) => {
  for (const name of NAMES) {
    if (name === 'github.b.list') continue;
    t.equal(nameBy(toolNameOf(name), ['*']), name);
    t.equal(nameBy(toolNameOf(name), ['gitlab.*', name]), name);
    t.equal(nameBy(toolNameOf(name), ['gitlab.*']), undefined);
  }
  t.equal(nameBy('github-b-list', ['*']), undefined, 'denied');
  for (const wrong of ['', '-', '--', 'github', 'github.issues.list', 'github-issues-list-',
    'github-issues--list', 'github-a-b-list', '--00000000']) {
    t.equal(nameBy(wrong, ['*']), undefined, wrong);
  }
});

t.test('whoever asks for no tool does not have all actions gone through', async (t) => {
  inventory.gone_through = 0;
  nameBy('github-nothing-list', ['*']);
  nameBy('github-issues-list', ['*']);
  t.equal(inventory.gone_through, 0);
});
