import { resolve } from 'node:path';
import type { Command } from 'commander';
import { readClientEnvironment } from '../config.ts';
import type { Act } from './act.ts';
import { EXIT } from './failure.ts';
import { callable } from './invocation.ts';
import type { Finding, LoadService } from './serviceModule.ts';
import { processTerminal, safeText, type Format, type Terminal } from './terminal.ts';

interface DoctorOptions {
  databaseUrl?: string;
  dataDir?: string;
  model?: string | true;
  json?: boolean;
}

const SIGNS: Record<Finding['status'], [sign: string, format: Format]> = {
  ok: ['✓', 'green'], warning: ['!', 'yellow'], failed: ['✗', 'red'], skipped: ['-', 'dim'],
};
const NAME_WIDTH = 17;

/** `doctor`: on the machine of a node, with what that node is configured by. */
export function addDoctorCommand(program: Command, act: Act, load: LoadService): void {
  program.command('doctor')
    .summary('check what the service needs, and say what to do')
    .description('Checks the configuration, the database, the keys, the clock, the integrations and'
      + ' the model, and says what to do. It changes and starts nothing.\nCall it where the service'
      + ' runs, with the same environment. It ends with 1 if something has failed, or if there is a'
      + ' database that could not be looked at.')
    .option('--model [model]', 'also ask a model one tiny question: that of MODEL, or this one')
    .option('--json', 'print the list of findings: check, status, found, advice')
    .option('--database-url <url>', 'as DATABASE_URL')
    .option('--data-dir <folder>', 'as GATEHOUSE_DATA_DIR')
    .addHelpText('after', '\nExample:\n  gatehouse doctor --model')
    .action(act((options: DoctorOptions) => examine(program, options, load)));
}

async function examine(
  program: Command, { databaseUrl, dataDir, model, json }: DoctorOptions, load: LoadService,
): Promise<number> {
  const environment = readClientEnvironment();
  const terminal = processTerminal(environment);
  const data_dir = dataDir === undefined ? environment.data_dir : resolve(dataDir);
  const names = program.commands.map((command) => command.name());
  const { examine: makeChecks } = await load();
  const findings = await makeChecks({
    overrides: { database_url: databaseUrl, data_dir },
    model: model ?? false,
    on_finding: (finding) => json ? undefined
      : show(finding, terminal, (text) => callable(text, names, data_dir)),
  });
  if (json) terminal.out(`${JSON.stringify(findings, null, 2)}\n`);
  else terminal.out(`\n${summary(findings)}\n`);
  return findings.some(({ status }) => status === 'failed') ? EXIT.failed : EXIT.ok;
}

function show(
  { check, status, found, advice = '' }: Finding, { out, style }: Terminal,
  asCommand: (text: string) => string): void {
  const [sign, format] = SIGNS[status];
  const said = status === 'skipped' ? style('dim', line(found)) : asCommand(line(found));
  out(`${style(format, sign)} ${check.padEnd(NAME_WIDTH)}  ${said}\n`);
  for (const one of advice.split('\n').filter(Boolean)) {
    out(`    ${style('bold', '→')} ${asCommand(line(one))}\n`);
  }
}

/** Names and messages of others are in it, which must not look like lines of ours. */
function line(text: string): string {
  return safeText(text.replace(/\s+/g, ' ').trim());
}

function summary(findings: Finding[]): string {
  const number = (status: Finding['status']) =>
    findings.filter((finding) => finding.status === status).length;
  const [failed, warnings, skipped] = [number('failed'), number('warning'), number('skipped')];
  const rest = skipped === 0 ? '' : `; ${skipped} not checked`;
  const unseen = findings.some(({ check, status }) => check === 'schema' && status === 'skipped')
    ? ' Most was not checked, for the database could not be looked at.' : '';
  const warned = `${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`;
  if (failed > 0) return `${failed} failed, ${warned}${rest}. Begin with the first ✗.${unseen}`;
  return warnings > 0 ? `Nothing has failed; ${warned}${rest}.${unseen}` : `All is well${rest}.`;
}
