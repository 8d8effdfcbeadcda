import t from 'tap';
import { isProduct, withWholeNames } from '../../../src/gateway/catalogue/searchProducts.ts';
import { wordsOf } from '../../../src/gateway/catalogue/searchWords.ts';

t.test('a name of several words in one is one word, others are left as they are', async (t) => {
  const read = (text: string) => withWholeNames(text, isProduct);
  t.equal(read('GitHub, in BigQuery2 and gitHub'), 'github, in bigquery2 and github');
  for (const text of ['createIssue', 'GITHUB GitHubber', 'HubSpots', 'GIThub', 'xGitHub', '']) {
    t.equal(read(text), text);
  }
});

t.test('words are found in a time that grows with the text alone', async (t) => {
  // Begun anew at each letter, a text of 40,000 took six seconds: this one would take hours.
  const long = 2_000_000;
  t.equal(wordsOf('a'.repeat(long)).length, 1);
  t.equal(wordsOf('A'.repeat(long)).length, 1);
  t.same(wordsOf(`${'a '.repeat(long)}GitHub`), ['github']);
});
