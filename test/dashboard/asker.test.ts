/** By what way a call came, as the list of approvals and the call itself say it. */
import t from 'tap';
import { askerOf } from '../../src/dashboard/data/calls.ts';

t.test('writes that are of no run come from MCP clients', async (t) => {
  t.equal(askerOf({ run_id: 'run_1', effect: 'write' }), 'a run');
  t.equal(askerOf({ run_id: null, effect: 'write' }), 'an MCP client');
  t.equal(askerOf({ run_id: null, effect: 'destructive' }), 'an MCP client');
  t.equal(askerOf({ run_id: null, effect: 'read' }), 'a direct call or an MCP client');
});
