/** Executes Arazzo documents step by step, by `redocly respect`. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { ROOT } from './sourceTree.ts';

export interface Criterion { condition: string; type?: 'regex' | 'jsonpath'; context?: string }
export interface Step {
  stepId: string;
  operationId: string;
  successCriteria: Criterion[];
  onFailure?: { name: string; retryLimit: number }[];
}
export interface Workflow {
  workflowId: string;
  summary: string;
  steps: Step[];
  outputs?: Record<string, string>;
}
export interface Arazzo {
  sourceDescriptions: { name: string; url: string }[];
  workflows: Workflow[];
}

export interface ExecutedStep {
  stepId: string;
  checks: { name: string; condition?: string; passed: boolean; message: string }[];
}
export interface ExecutedWorkflow { workflowId: string; executedSteps: ExecutedStep[] }

const REDOCLY = join(ROOT, 'node_modules', '.bin', 'redocly');

/**
 * Executes every workflow of the document against the service at `base_url` and tells what came of
 * each step; one that was repeated is there as often. `folder` takes its files. A check of a
 * step is also that its status is declared, and its body what openapi.yaml says.
 */
export async function executeArazzo(
  folder: string, base_url: string, document: Arazzo, inputs: Record<string, string>,
): Promise<ExecutedWorkflow[]> {
  const [file, log] = [join(folder, 'flows.yaml'), join(folder, 'log.json')];
  const sourceDescriptions = document.sourceDescriptions.map((source) =>
    ({ ...source, url: join(ROOT, source.url) }));
  await writeFile(file, stringify({ ...document, sourceDescriptions }));
  const args = [REDOCLY, 'respect', file, '-S', `gatehouse=${base_url}`,
    '-i', JSON.stringify(inputs), '-J', log];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  // It ends with 1 if a check failed, and the log says which; without a log it says why itself.
  const said = await promisify(execFile)(process.execPath, args,
    { cwd: folder, env, maxBuffer: 2 ** 26 }).catch((error: unknown) => error);
  const text = await readFile(log, 'utf8').catch(() => { throw said; });
  const { files } = JSON.parse(text) as
    { files: Record<string, { executedWorkflows: ExecutedWorkflow[] }> };
  return Object.values(files).flatMap(({ executedWorkflows }) => executedWorkflows);
}
