import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import type { RevisionTask } from '../../domain/definitions/revision-rules/types.js';
import { defaultAgentBudgets } from '../../domain/kernel/agent-budgets.js';
import type { SimulationInput } from '../../domain/simulation/script.js';
import { simulateRevision } from '../../domain/simulation/simulate-revision.js';
import { Simulations } from '../../domain/simulation/simulations.js';
import { publishDefinition } from '../support/workspace/definitions.js';
import { useWorkspace } from '../support/workspace/use-workspace.js';

const { workspace } = useWorkspace();

it('docs/simulation.md shows a request and the walk that answers it', async () => {
  const page = await readFile(new URL('../../docs/simulation.md', import.meta.url), 'utf8');
  const [rootTask, input] = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, json]) =>
    JSON.parse(json ?? ''),
  );
  const rows = [...page.matchAll(/^\| `(\w+)` \| (\d*) ?\| ([A-Z][\w ]*) \|/gm)];

  const ids = await publishDefinition(workspace, rootTask as RevisionTask);
  const simulations = new Simulations({ agentBudgets: defaultAgentBudgets });
  const walk = await simulateRevision(workspace.context(), simulations, ids, input as SimulationInput);

  expect(walk).toMatchObject({ status: 'completed', outcome: 'good' });
  expect(rows.map(([, kind, step, task]) => ({ kind, step, task }))).toEqual(
    walk.entries.map(({ kind, step, task }) => ({ kind, step: String(step ?? ''), task })),
  );
});
