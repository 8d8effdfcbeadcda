/** The tools that a client is shown while actions come and go. */
import t from 'tap';
import { ActionGone, type ActionSource } from '../../src/gateway/action/action.ts';
import type { Gateway } from '../../src/gateway/gateway.ts';
import { toolsFor } from '../../src/mcp/tools.ts';
import { caller, connection, definition, visibleOf } from '../gateway/support.ts';

t.test('an action that is removed meanwhile is no tool, and hinders no other', async (t) => {
  const { perform: _perform, ...summary } = definition({ name: 'github.issues.get' });
  const gone = { ...summary, open: () => Promise.reject(new ActionGone(summary.name)) };
  const source: ActionSource = {
    integration: { slug: 'github', title: 'GitHub' }, actions: [gone, definition()] };
  const visible = visibleOf([source], [connection()]);
  const gateway = { catalogue: { visible: async () => visible } } as unknown as Gateway;
  const tools = await toolsFor(gateway, caller, ['github.*']);
  t.strictSame(tools.map(({ name }) => name), ['call_action', 'github-issues-list']);
});
