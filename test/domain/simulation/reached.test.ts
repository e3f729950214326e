import { expect, it } from 'vitest';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import { defaultAgentBudgets } from '../../../domain/kernel/agent-budgets.js';
import type { SimulationInput } from '../../../domain/simulation/script.js';
import { simulateRevision } from '../../../domain/simulation/simulate-revision.js';
import { Simulations } from '../../../domain/simulation/simulations.js';
import { publishDefinition } from '../../support/workspace/definitions.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const { workspace } = useWorkspace();
const simulations = new Simulations({ agentBudgets: defaultAgentBudgets });

const request = {
  name: 'find_times',
  description: 'Finds free times on a day.',
  method: 'GET',
  url: 'https://times.example/v1/days/{day}',
  parameters: { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] },
  headers: [{ name: 'Authorization', secret: 'times_key', prefix: 'Bearer ' }],
};

/** What a tool is answered in a task with one ability, of which nothing is configured in the workspace. */
async function resultOf(
  ability: NonNullable<RevisionTask['abilities']>[number],
  call: { name: string; arguments: Record<string, unknown> },
  services?: SimulationInput['services'],
): Promise<Record<string, unknown>> {
  const ids = await publishDefinition(workspace, {
    name: 'Talk',
    taskType: 'conversation',
    prompt: 'Talk.',
    abilities: [ability, { abilityType: 'handoff' }],
  });
  const script = [{ member: 'Hello' }, { agent: { calls: [call], say: 'Done.' } }];
  const input = { script, ...(services && { services }) };
  const { entries } = await simulateRevision(workspace.context(), simulations, ids, input);
  const called = entries.find((entry) => entry.kind === 'tool');
  return JSON.parse(called?.result ?? 'null');
}

it('a walk has the answers of web services whose hosts and secrets are not there', async () => {
  const ability = { abilityType: 'http_request', config: { requests: [request] } };
  const call = { name: 'find_times', arguments: { day: '2030-01-08' } };
  const body = { times: ['9:00'] };

  expect(await resultOf(ability, call, { find_times: { body } })).toMatchObject({
    ok: true,
    status: 200,
    body,
  });
  expect(await resultOf(ability, call)).toEqual({ ok: true, status: 200 });
  const refused = { ok: false, error: 'request_failed', status: 401 };
  expect(await resultOf(ability, call, { find_times: { status: 401 } })).toEqual(refused);
});

it('a walk has the answers of remote tools that no admin has allowed, as an agent is told them', async () => {
  const tools = [
    { server: 'orders', tool: 'find_order' },
    { server: 'orders', tool: 'cancel_order' },
  ];
  const ability = { abilityType: 'mcp_tools', config: { tools } };
  const call = { name: 'orders__find_order', arguments: { order: 'A-17' } };
  const body = { state: 'on its way' };

  const told = { ok: true, answer: JSON.stringify(body) };
  expect(await resultOf(ability, call, { orders__find_order: { body } })).toMatchObject(told);
  expect(await resultOf(ability, call)).toEqual({ ok: true });
  const failed = { ok: false, error: 'request_failed' };
  expect(await resultOf(ability, call, { orders__find_order: { status: 500 } })).toEqual(failed);
});

it.each<[string, object]>([
  ['an inbox that is not there', { inbox: 'desk@clinic-mail.example' }],
  ['no inbox', {}],
])('a walk whose ability names %s sends emails', async (_which, config) => {
  const ability = { abilityType: 'send_email', config: { ...config } };
  const call = { name: 'send_email', arguments: { subject: 'Visit', text: 'See you.' } };
  expect(await resultOf(ability, call)).toEqual({ ok: true });
});

it('a definition that names more than a workspace can have is refused before anything is written', async () => {
  const requests = Array.from({ length: 51 }, (_, index) => {
    return { ...request, name: `find_${index}`, url: `https://times-${index}.example/v1/{day}` };
  });
  const config = (from: number) => ({ requests: requests.slice(from, from + 10) });
  const tasks = [0, 10, 20, 30, 40, 50].map((from): RevisionTask => {
    const abilities = [{ abilityType: 'http_request', config: config(from) }, { abilityType: 'handoff' }];
    return { name: `Talk ${from}`, taskType: 'conversation', prompt: 'Talk.', abilities };
  });
  const rootTask = { name: 'Begin', taskType: 'conversation', prompt: 'Talk.', children: tasks };
  const ids = await publishDefinition(workspace, rootTask);

  await expect(simulateRevision(workspace.context(), simulations, ids, {})).rejects.toMatchObject({
    code: 'simulation_too_large',
    message: 'The definition names more than 50 hosts.',
  });
});
