/** What a shell is told of that may come next. */
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { shellWord } from '../../src/shellWord.ts';
import { gatehouse } from './oneProcess.ts';
import { against, page } from './operator.ts';
import { fakeService, GATEHOUSE, json } from './support.ts';

const RUN = { id: 'run_1', status: 'failed', input: [
  { role: 'user', content: [{ type: 'input_text', text: 'Say\u001b[2J\tit\n' }] }] };

t.test('commands, flags, values and ids', async (t) => {
  const hostile = ['run_1; reboot', 'run_$(reboot)', 'run_`reboot`', "run_'", 'run_1\nreboot', ''];
  const { call, stop } = await against(t, (_request, response) =>
    json(response, 200, page(RUN, ...hostile.map((id) => ({ ...RUN, id })))));
  const told = async (...words: string[]) => {
    const { code, out, err } = await call('__complete', ...words);
    t.match({ code, err }, { code: 0, err: '' });
    return out.trimEnd().split('\n');
  };
  t.strictSame((await told('=run')).map((line) => line.split('\t')[0]), ['run', 'runs']);
  t.strictSame(await told('=arch', 'sessions'), ['archive\ttake no more runs in sessions']);
  t.strictSame(await told('=c', 'runs', 'list', '--status'), ['completed', 'cancelled']);
  t.strictSame(await told('=--status=c', 'runs', 'list'),
    ['--status=completed', '--status=cancelled'], 'as one word');
  t.strictSame((await told('=--cur', 'runs', 'list', '--limit', '3')).length, 1);
  t.strictSame(await told('=--json', 'runs', 'list', '--json'), [''], 'once is enough');
  t.strictSame(await told('=', 'runs', 'show'), ['run_1\tfailed Say\ufffd[2J it'],
    'on one line, and nothing that a shell would read as more than a word');
  t.strictSame(await told('=', 'runs', 'show', 'run_1'), [''], 'it takes one');
  await stop();
  t.strictSame(await told('=', 'runs', 'show'), [''], 'a shell has no place for errors');
});

t.test('ids are those of the service that the words before name', async (t) => {
  const service = (id: string) => fakeService(t, (_request, response) =>
    json(response, 200, page({ ...RUN, id })));
  const [usual, other] = [await service('run_usual'), await service('run_other')];
  const kept = ({ base_url }: { base_url: string }) => ({ base_url, api_key: 'gth_x' });
  const cwd = t.testdir({ 'profiles.json': JSON.stringify(
    { current: 'usual', profiles: { usual: kept(usual), other: kept(other) } }) });
  for (const [words, id] of [[[], 'usual'], [['--profile', 'other'], 'other'],
    [['--profile=other'], 'other'], [['--base-url', other.base_url, '--api-key=gth_x'], 'other'],
  ] as const) {
    const { out } = await gatehouse(['__complete', '=', 'runs', 'show', ...words],
      { cwd, env: { GATEHOUSE_CONFIG_DIR: cwd } });
    t.match(out, new RegExp(`^run_${id}\t`), words.join(' '));
  }
});

const folder = dirname(GATEHOUSE);
const path = `export PATH='${folder}':"$PATH"`;
const SHELLS: Record<string, string> = {
  bash: `${path}; source <(gatehouse completion bash)
COMP_LINE='gatehouse completion '; COMP_POINT=\${#COMP_LINE}; _gatehouse
printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: `${path}; compdef() { :; }; _describe() { print -l -- "\${found[@]%%:*}"; }
source <(gatehouse completion zsh)
words=(gatehouse completion ''); CURRENT=3; _gatehouse`,
  fish: `set -x PATH '${folder}' $PATH; gatehouse completion fish | source
complete -C 'gatehouse completion '`,
};

for (const [shell, script] of Object.entries(SHELLS)) {
  const skip = spawnSync(shell, ['-c', 'true']).status !== 0 && `there is no ${shell} here`;
  t.test(`the script for ${shell}`, { skip }, async (t) => {
    const home = t.testdir({});
    const out = execFileSync(shell, ['-c', script],
      { encoding: 'utf8', env: { PATH: process.env.PATH, HOME: home } });
    t.strictSame(out.trim().split('\n').sort(), ['bash', 'fish', 'powershell', 'zsh']);
  });
}

t.test('bash ends words at : and =, and completes what is behind them', async (t) => {
  const { base_url } = await fakeService(t, (_request, response) =>
    json(response, 200, page({ ...RUN, id: 'run_2' })));
  const home = t.testdir({});
  for (const [line, offered, breaks = ''] of [
    [`gatehouse runs show --base-url ${base_url} --api-key gth_x `, 'run_2'],
    [`gatehouse runs show --api-key=gth_x --base-url="${base_url}" run`, 'run_2'],
    ['gatehouse runs list --status=comp', 'completed'],
    ['gatehouse runs list --status=comp', '--status=completed', 'COMP_WORDBREAKS=" :"'],
    ['gatehouse runs list --status=comp', 'completed', 'COMP_WORDBREAKS="="'],
    [`gatehouse runs list --model "a b" --error '' --session a\\ b --status "comp`, 'completed'],
    [`gatehouse runs show --base-url ${base_url} --api-key "gth_x" "run`, 'run_2'],
  ] as const) {
    const script = `${path}; source <(gatehouse completion bash); ${breaks}
COMP_LINE=${shellWord(line)}; COMP_POINT=\${#COMP_LINE}; _gatehouse; echo "\${COMPREPLY[@]}"`;
    const { stdout } = await promisify(execFile)('bash', ['-c', script],
      { env: { PATH: process.env.PATH, HOME: home } });
    t.equal(stdout, `${offered}\n`, line);
  }
});

t.test('the script for PowerShell, which is not run here, by its structure', async (t) => {
  const { call } = await against(t, (_request, response) => json(response, 200, page()));
  const { code, out } = await call('completion', 'powershell');
  t.equal(code, 0);
  t.match(out, /^Register-ArgumentCompleter -Native -CommandName gatehouse -ScriptBlock \{$/m);
  t.match(out, /^ {2}param\(\$word, \$ast, \$position\)$/m);
  t.match(out, /^ {2}& \$words\[0\] __complete "=\$word" @before 2>\$null \| ForEach-Object \{$/m,
    'no empty argument, and the words as they are: what is evaluated could be anything');
  t.match(out, '$value, $says = $_ -split "`t", 2');
  t.match(out, /::new\(\$value, \$value, 'ParameterValue', \$says\)$/m);
  t.notMatch(out, /Invoke-Expression|iex\b/i);
  for (const [open, close] of ['{}', '()', '[]']) {
    t.equal(out.split(open!).length, out.split(close!).length, `as many ${open} as ${close}`);
  }
  const outside = out.replace(/'[^']*'|"[^"]*"/g, '').replace(/#.*/g, '');
  t.notMatch(outside, /['"]/, 'each quotation ends');
});
