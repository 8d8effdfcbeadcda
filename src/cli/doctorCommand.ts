import { resolve } from 'node:path';
import { readClientEnvironment } from '../config.ts';
import { localCommand, ON_DATABASE } from './command.ts';
import { EXIT } from './failure.ts';
import { flag, toggle } from './inputs.ts';
import { beside } from './message.ts';
import { printJson } from './output.ts';
import type { DoctorFinding } from './serviceModule.ts';
import { oneLine, type Format, type Terminal } from './terminal.ts';

const SIGNS: Record<DoctorFinding['status'], [sign: string, format: Format]> = {
  ok: ['✓', 'green'], warning: ['!', 'yellow'], failed: ['✗', 'red'], skipped: ['-', 'dim'],
};
const NAME_WIDTH = 17;

export const addDoctorCommand = localCommand('doctor', {
  summary: 'check what the service needs, and say what to do',
  description: 'Checks the configuration, the database, the keys, the clock, the integrations and'
    + ' the model, and says what to do. It changes and starts nothing.\nCall it where the service'
    + ' runs, with the same environment. It ends with 1 if something has failed, or if there is a'
    + ' database that could not be looked at.',
  inputs: {
    model: flag<string | true>('--model [model]',
      'also ask a model one tiny question: that of MODEL, or this one'),
    json: toggle('--json', 'print the list of findings: check, status, found, advice'),
    ...ON_DATABASE,
  },
  example: 'gatehouse doctor --model',
  async run({ load, callable, terminal }, { model = false, json, database_url, data_dir: given }) {
    const data_dir = given === undefined ? readClientEnvironment().data_dir : resolve(given);
    const { examine } = await load();
    const wait = terminal.wait('looking at what the service needs');
    const findings = await examine({
      overrides: { database_url, data_dir }, model,
      onFinding: (finding) => json ? undefined
        : show(finding, terminal, (text) => callable(text, data_dir)),
    }).finally(() => wait.end());
    if (json) printJson(terminal, findings);
    else terminal.out(`\n${beside('', summary(findings), terminal.screen)}\n`);
    return findings.some(({ status }) => status === 'failed') ? EXIT.failed : EXIT.ok;
  },
});

function show(
  { check, status, found, advice = '' }: DoctorFinding, { out, style, screen }: Terminal,
  asCommand: (text: string) => string): void {
  const [sign, format] = SIGNS[status];
  // The text has names and messages of others, which must not look like more lines.
  const line = (text: string) => oneLine(text, Infinity);
  const said = status === 'skipped' ? line(found) : asCommand(line(found));
  const shown = beside(`${style(format, sign)} ${check.padEnd(NAME_WIDTH)}  `, said, screen);
  out(`${status === 'skipped' ? style('dim', shown) : shown}\n`);
  for (const one of advice.split('\n').filter(Boolean)) {
    out(`${beside(`    ${style('bold', '→')} `, asCommand(line(one)), screen)}\n`);
  }
}

function summary(findings: DoctorFinding[]): string {
  const number = (status: DoctorFinding['status']) =>
    findings.filter((finding) => finding.status === status).length;
  const [failed, warnings, skipped] = [number('failed'), number('warning'), number('skipped')];
  const rest = skipped === 0 ? '' : `; ${skipped} not checked`;
  const unseen = findings.some(({ check, status }) => check === 'clock' && status === 'skipped')
    ? ' Most was not checked, for the database could not be looked at.' : '';
  const warned = `${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`;
  if (failed > 0) return `${failed} failed, ${warned}${rest}. Begin with the first ✗.${unseen}`;
  return warnings > 0 ? `Nothing has failed; ${warned}${rest}.${unseen}` : `All is well${rest}.`;
}
