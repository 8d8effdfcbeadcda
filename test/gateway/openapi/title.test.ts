import t from 'tap';
import { importOpenapi } from '../../../src/gateway/openapi/openapi.ts';
import {
  descriptionOf, serviceTitleOf, titleOf,
} from '../../../src/gateway/openapi/title.ts';
import { documentOf } from '../support.ts';

const title = (description: string) => titleOf({ description }, 'pets.get');

t.test('the summary, else how the description begins, else the name', async (t) => {
  t.equal(titleOf({ summary: ' Add a pet ', description: 'Adds.' }, 'x.y'), 'Add a pet');
  t.equal(titleOf({ description: 'Adds a pet. And more.' }, 'x.y'), 'Adds a pet');
  for (const operation of [{}, { summary: '', description: '\n' },
    { summary: 3, description: ['no'] }]) {
    t.equal(titleOf(operation, 'pets.add'), 'Add pets');
  }
});

t.test('the name in words begins with what is done', async (t) => {
  const names: [name: string, words: string][] = [
    ['triggers.delete', 'Delete triggers'], ['deploys.create_for_site', 'Create deploys for site'],
    ['users.get_by_name', 'Get users by name'], ['playlists.remove_tracks',
      'Remove tracks of playlists'], ['numbers.delete_own_number', 'Delete own number'],
    ['conversations.info', 'Conversations info'],
  ];
  for (const [name, words] of names) t.equal(titleOf({}, name), words);
});

t.test('what is said of the path is no title, and marked as what it is', async (t) => {
  const path = { summary: 'Triggers', description: ' Webhooks that notify you. ' };
  t.equal(descriptionOf({}, path, 'Delete triggers'),
    'Delete triggers\n\nOf its path as a whole: Webhooks that notify you.');
  t.equal(descriptionOf({ description: '' }, { summary: 'Triggers' }, 'Delete triggers'),
    'Delete triggers\n\nOf its path as a whole: Triggers');
  t.equal(descriptionOf({ description: ' Deletes. ' }, path, 'Delete triggers'), 'Deletes.');
  t.equal(descriptionOf({}, {}, 'Delete triggers'), 'Delete triggers');
  const { actions: [action] } = importOpenapi({ ...documentOf('/triggers', 'delete', {}), paths: {
    '/triggers': { ...path, delete: { responses: {} } } } }, { slug: 'x' });
  t.match(action, { title: 'Delete triggers', description: /^Delete triggers\n\nOf its path/ });
});

t.test('what is said of getting and of deleting alike is no title', async (t) => {
  const titles = (...keys: string[]) => {
    const paths: Record<string, object> = {};
    for (const key of keys) {
      const [, method = '', path = '', description = 'Books of the library'] =
        /^(\w+) (\S+)(?: (.*))?$/s.exec(key)!;
      paths[path] = { ...paths[path], [method]: { description, responses: {} } };
    }
    return importOpenapi({ ...documentOf('/x', 'get', {}), paths }, { slug: 'x' })
      .actions.map((action) => action.title).sort();
  };
  t.same(titles('get /books', 'post /books', 'delete /books/{id}'),
    ['Create books', 'Delete books', 'List books']);
  t.same(titles('get /books', 'delete /books/{id} Books of the library\n '),
    ['Delete books', 'List books'], 'white space at the end');
  t.same(titles('get /books', 'post /books', 'get /a/books', 'post /a/books',
    'delete /books Takes them away.'),
  [...Array(4).fill('Books of the library'), 'Takes them away'], 'two ways to do the same');
  t.same(titles('put /books', 'post /books', 'post /books/{id}'),
    Array(3).fill('Books of the library'), 'none that gets them');
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
    ['<p></p>', 'Get pets'],
  ];
  for (const [description, wanted] of read) t.equal(title(description), wanted);
});

t.test('it stays short, whatever a document writes', async (t) => {
  for (const long of ['a '.repeat(100_000), '<'.repeat(100_000), '<a'.repeat(100_000),
    '\n '.repeat(100_000), '.'.repeat(100_000), '# '.repeat(100_000)]) {
    t.ok(title(long).length <= 120);
    t.ok(titleOf({ summary: long }, 'x.y').length <= 200);
    t.ok(serviceTitleOf({ info: { title: long } }, 'x').length <= 200);
  }
});

t.test('a description is kept up to a bound, and says if there was more', async (t) => {
  const longest = 'a'.repeat(16_384);
  t.equal(descriptionOf({ description: longest }, {}, 'x'), longest);
  t.equal(descriptionOf({ description: `${longest}b` }, {}, 'x'), `${longest.slice(1)}…`);
  t.equal(descriptionOf({}, { description: longest }, 'x').length, 16_384);
});

t.test('a summary, which may be of any length, stays within that of the titles of tools', (t) => {
  const most = 'a '.repeat(100).trim().padEnd(200, 'b');
  for (const operation of [{ summary: most }, { summary: ` ${most} ` }]) {
    t.equal(titleOf(operation, 'x.y'), most);
  }
  for (const summary of [`${most}.`, 'a'.repeat(1_000_000), 'a '.repeat(1_000_000),
    '[a]('.repeat(1_000_000)]) {
    t.match(titleOf({ summary }, 'x.y'), /^.{150,199}…$/);
  }
  t.end();
});
