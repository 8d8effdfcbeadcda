/** GATEHOUSE_MCP_STDIO: which commands may be started, with which arguments and variables. */
import t from 'tap';
import { AllowedCommands } from '../../../src/gateway/mcp/allowedCommands.ts';

/** Whether these words, with variables before them as in the setting, may be started. */
function may(setting: string | null, ...words: string[]): boolean {
  const env_names = words.filter((word) => word.endsWith('='));
  const [command, ...args] = words.slice(env_names.length);
  return new AllowedCommands(setting).has(
    { command: command!, args, env_names: env_names.map((word) => word.slice(0, -1)) });
}

t.test('nothing is allowed that is not named', async (t) => {
  for (const setting of [null, '', ' , ', '[]']) t.notOk(may(setting, 'npx', 'x'));
  const setting = 'npx -y @example/one, A= B_2=  /opt/server *';
  t.ok(may(setting, 'npx', '-y', '@example/one'));
  t.notOk(may(setting, 'npx', '-y', '@example/one', '--more'), 'the arguments are these');
  t.notOk(may(setting, 'npx', '-y'));
  t.notOk(may(setting, 'npx', '-y', '@example/two'));
  t.notOk(may(setting, '/tmp/npx', '-y', '@example/one'));
  t.notOk(may(setting, 'NODE_OPTIONS=', 'npx', '-y', '@example/one'), 'nor a variable');
  for (const words of [[], ['a'], ['a', 'b c']]) t.ok(may(setting, '/opt/server', ...words));
  t.ok(may(setting, 'B_2=', '/opt/server', 'a'));
  t.notOk(may(setting, 'PATH=', 'B_2=', '/opt/server', 'a'));
  t.notOk(may(setting, '*'));
});

t.test('words that are not plain are written as JSON', async (t) => {
  const wanted = { command: '/a b/server', args: ['x,y', '*'], env_names: ['TOKEN'] };
  const entry = AllowedCommands.entryFor(wanted);
  t.equal(entry, '["TOKEN=","/a b/server","x,y","*"]');
  t.ok(new AllowedCommands(`[${entry}]`).has(wanted));
  t.equal(AllowedCommands.entryFor({ command: 'npx', args: ['-y', '@a/b'], env_names: ['A'] }),
    'A= npx -y @a/b');
});

t.test('a setting that cannot be meant is refused', async (t) => {
  for (const wrong of ['*', 'A= *', 'A=', '["npx"]', '[["npx", 1]]', '[[]]', '[oops', '[[""]]']) {
    t.throws(() => new AllowedCommands(wrong), /GATEHOUSE_MCP_STDIO must be commands/, wrong);
  }
});
