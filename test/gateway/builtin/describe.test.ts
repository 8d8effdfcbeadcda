import t from 'tap';
import { describeForModel } from '../../../src/gateway/builtin/describe.ts';
import type { JsonObject } from '../../../src/json.ts';
import { definition } from '../support.ts';

const describe = (input_schema: object, branch?: string) =>
  describeForModel(definition({ input_schema: input_schema as JsonObject }), [],
    branch === undefined ? {} : { branch });

t.test('a schema that takes too long to be looked through is not shown', async (t) => {
  const endless = { get type(): string { for (;;); } };
  t.match(describe(endless), { name: 'github.issues.list', input_schema: {}, hint: /left out/ });
  t.equal(describe(endless, 'a'), undefined);
});

t.test('the branch of a long enum shows as much of it as there is room for', async (t) => {
  const values = (length: number) => Array.from({ length }, (_, nth) => `value number ${nth}`);
  const shown = (length: number) => describe(
    { type: 'object', properties: { one: { type: 'string', enum: values(length) } } }, 'one');
  t.same(shown(400), { name: 'github.issues.list', branch: 'one',
    input_schema: { type: 'string', enum: values(400) } });
  const { examples, ...others } = shown(3_000)!.input_schema as { examples: string[] };
  t.ok(examples.length > 400, String(examples.length));
  t.same(others, { type: 'string', values: 3_000 }, 'and does not name itself');
});
