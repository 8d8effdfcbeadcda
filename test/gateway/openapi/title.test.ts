import t from 'tap';
import { titleOf } from '../../../src/gateway/openapi/title.ts';

const title = (description: string) => titleOf({ description }, {}, 'its name');

t.test('the summary, else how the description begins, else the name', async (t) => {
  t.equal(titleOf({ summary: ' Add a pet ', description: 'Adds.' }, {}, 'x'), 'Add a pet');
  t.equal(titleOf({ description: 'Adds.' }, { summary: 'Pets' }, 'x'), 'Pets');
  t.equal(titleOf({}, { description: 'Adds a pet. And more.' }, 'x'), 'Adds a pet');
  t.equal(titleOf({ summary: '', description: '\n' }, {}, 'pets add'), 'pets add');
  t.equal(titleOf({ summary: 3, description: ['no'] }, {}, 'pets add'), 'pets add');
});

t.test('one sentence, in plain text', async (t) => {
  const read: [description: string, title: string][] = [
    ['Sends a message to a channel.', 'Sends a message to a channel'],
    ['<p>To charge a card, create a <code>Charge</code> object. If not, wait.</p>',
      'To charge a card, create a Charge object'],
    ['# Pets\n\nAdds one.', 'Pets'],
    ['Adds a **pet**\n(e.g. version v1.2 of it). Then\nmore.',
      'Adds a pet (e.g. version v1.2 of it)'],
    ['See [the guide](https://example.com/a.b) first: then', 'See the guide first: then'],
    ['list or watch objects of kind Pod', 'list or watch objects of kind Pod'],
    ['<p></p>', 'its name'],
  ];
  for (const [description, wanted] of read) t.equal(title(description), wanted);
});

t.test('it stays short, whatever a document writes', async (t) => {
  for (const long of ['a '.repeat(100_000), '<'.repeat(100_000), '<a'.repeat(100_000),
    '\n '.repeat(100_000), '.'.repeat(100_000), '# '.repeat(100_000)]) {
    t.ok(title(long).length <= 120);
  }
});

t.test('a summary, which may be of any length, stays within that of the titles of tools', (t) => {
  const most = 'a '.repeat(100).trim().padEnd(200, 'b');
  for (const operation of [{ summary: most }, { summary: ` ${most} ` }]) {
    t.equal(titleOf(operation, {}, 'x'), most);
  }
  for (const summary of [`${most}.`, 'a'.repeat(1_000_000), 'a '.repeat(1_000_000),
    '[a]('.repeat(1_000_000)]) {
    t.match(titleOf({ summary }, {}, 'x'), /^.{150,199}…$/);
    t.match(titleOf({}, { summary }, 'x'), /^.{150,199}…$/, 'of the path');
  }
  t.end();
});
