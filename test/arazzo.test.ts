/** arazzo.yaml: each step of each workflow is executed on the service, each criterion counts. */
import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { parse } from 'yaml';
import { operations, type OperationId } from '../generated/operations.ts';
import { tableOf } from './support/markdown.ts';
import { connectPets, petIntegration, startPetStore } from './support/petStore.ts';
import {
  executeArazzo, type Arazzo, type Criterion, type ExecutedWorkflow, type Workflow,
} from './support/respect.ts';
import { testServer } from './support/server.ts';
import { read } from './support/sourceTree.ts';
import { untilSeen } from './support/until.ts';

const arazzo = parse(read('arazzo.yaml')) as Arazzo;
/** The one in which an operator has a part. */
const CONNECTING = 'connectAccount';
const connecting = arazzo.workflows.find(({ workflowId }) => workflowId === CONNECTING)!;
const alone = arazzo.workflows.filter((workflow) => workflow !== connecting);

// Another program is started a few times, and repeats steps on a slow machine.
t.setTimeout(600_000);

const store = await startPetStore(t);
const { client, workspace_id, service } = await testServer(t);
await client.expect(201, 'createIntegration', { body: petIntegration(store) });

function execute(t: Test, workflows: Workflow[]): Promise<ExecutedWorkflow[]> {
  return executeArazzo(t.testdir({}), service.base_url, { ...arazzo, workflows },
    { api_key: client.api_key!, idempotency_key: randomUUID(), action: 'pets.pets.list' });
}

t.test('the workflows use what is public, and docs/flows.md tells of each', async (t) => {
  const used = arazzo.workflows.flatMap(({ steps }) => steps.map(({ operationId }) => operationId));
  t.strictSame(used.filter((id) => operations[id as OperationId].internal), []);
  t.strictSame(tableOf('docs/flows.md', ['workflow', 'what it does', 'operations']),
    arazzo.workflows.map(({ workflowId, summary, steps }) => ({
      workflow: `\`${workflowId}\``, 'what it does': summary,
      operations: [...new Set(steps.map(({ operationId }) => operationId))].join(', '),
    })));
  t.ok(arazzo.workflows.every(({ steps }) => steps.every(({ successCriteria }) =>
    successCriteria.length > 0)), 'each step says when it has succeeded');
});

t.test('each step of each workflow succeeds', async (t) => {
  passes(t, alone, await execute(t, alone));
});

t.test('each criterion can fail', async (t) => {
  const [first] = connecting.steps;
  await fails(t, [...alone.flatMap(mutants), ...mutants({ ...connecting, steps: [first!] })]);
});

t.test('a call that misses an account succeeds once an operator has connected one', async (t) => {
  const query = { action: 'pets.pets.list', status: 'failed' as const, limit: 100 };
  const refused = async () =>
    (await client.expect(200, 'listActionInvocations', { query })).data.length;
  const before = await refused();
  const executed = execute(t, [connecting]);
  await untilSeen('calls that were refused', refused, (count) => count >= before + 2);
  await connectPets(client, workspace_id);
  passes(t, [connecting], await executed);
});

t.test('each criterion of what comes after can fail', async (t) => {
  await fails(t, mutants({ ...connecting, steps: connecting.steps.slice(1) }));
});

/** Every step was executed, and in the end everything about it was right. */
function passes(t: Test, workflows: Workflow[], executed: ExecutedWorkflow[]): void {
  for (const { workflowId, steps } of workflows) {
    const { executedSteps } = executed.find((each) => each.workflowId === workflowId)!;
    const last = new Map(executedSteps.map((step) => [step.stepId, step.checks]));
    t.strictSame([...last.keys()], steps.map(({ stepId }) => stepId), workflowId);
    for (const { stepId, successCriteria } of steps) {
      const checks = last.get(stepId) ?? [];
      t.strictSame(checks.filter(({ passed }) => !passed), [], `${workflowId} ${stepId}`);
      const checked = new Set(checks.map(({ condition }) => condition));
      t.ok(successCriteria.every(({ condition }) => checked.has(condition)), 'all criteria');
    }
  }
}

interface Mutant { workflow: Workflow; stepId: string; condition: string }

/** The workflow once for each criterion, which says the opposite there, and ends there. */
function mutants(workflow: Workflow): Mutant[] {
  return workflow.steps.flatMap(({ stepId, successCriteria }, at) =>
    successCriteria.map((criterion, index) => {
      const workflowId = `${workflow.workflowId}_${at}_${index}`;
      // What is repeated until it holds is awaited first: before, the opposite would be true.
      const steps = workflow.steps.slice(0, at + 1)
        .flatMap((step) => step.onFailure && step.stepId === stepId
          ? [{ ...step, stepId: `${stepId}First` }, step] : [step]);
      const text = JSON.stringify({ ...workflow, steps })
        .replaceAll('$inputs.idempotency_key', randomUUID());
      const changed: Workflow = { ...JSON.parse(text) as Workflow, workflowId };
      delete changed.outputs;
      const step = changed.steps.at(-1)!;
      step.successCriteria[index] = opposite(criterion);
      for (const action of step.onFailure ?? []) action.retryLimit = 1;
      return { workflow: changed, stepId, condition: step.successCriteria[index].condition };
    }));
}

function opposite(criterion: Criterion): Criterion {
  const { condition, type } = criterion;
  const changed = type === 'regex' ? `^(?![^]*(?:${condition}))`
    : type === 'jsonpath' ? condition.replace(/'[^']*'/, "'unheard of'")
      : condition.replace(' == ', ' != ');
  if (changed === condition) throw new Error(`no opposite is known of ${condition}`);
  return { ...criterion, condition: changed };
}

async function fails(t: Test, all: Mutant[]): Promise<void> {
  const executed = await execute(t, all.map(({ workflow }) => workflow));
  for (const { workflow: { workflowId }, stepId, condition } of all) {
    const step = executed.find((each) => each.workflowId === workflowId)?.executedSteps.at(-1);
    t.equal(step?.stepId, stepId, `${workflowId} comes to ${stepId}`);
    const check = step?.checks.find((each) => each.condition === condition);
    t.equal(check?.passed, false, `${stepId}: not ${condition}`);
  }
}
