/**
 * Records a history of every type of run, for the replay test: `npx tsx test/workflows/record-histories.ts`.
 * Run it when a run's story changes and the old one is not to be supported any more; otherwise use `patched`.
 */
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { intakeDataType } from '../../dev/seed/clinic-intake.js';
import { taskQueues } from '../../workflows/contracts/runs.js';
import { TestBackends } from '../support/backends.js';
import { cloneTemplate } from '../support/database.js';
import { createSmsWorkspace, type SmsWorkspace } from '../support/sms-workspace.js';
import { startSystem, type TestSystem } from '../support/system.js';
import { waitFor } from '../support/wait-for.js';
import { recordRuns } from './histories.js';
import { doors, talk } from './small-trees.js';

type Scenario = (system: TestSystem, workspace: SmsWorkspace) => Promise<string>;

/** Each plays one story and returns the workflow id to record. */
const scenarios: Record<string, Scenario> = {
  'run-assignment-completed': async (_system, workspace) => {
    const definitionId = await workspace.publish({
      ...talk('Start', 'Hello.'),
      children: [
        {
          name: 'Name',
          taskType: 'collect',
          choicePrompt: 'Go on',
          autoNext: true,
          prompt: 'Ask for it.',
          configuration: { dataTypeSlug: 'intake', fieldSlugs: ['reason'] },
        },
        { name: 'Thanks', taskType: 'message', autoNext: true, configuration: { text: 'Thank you.' } },
        { name: 'Later', taskType: 'wait', autoNext: true, configuration: { for: 'PT1S' } },
        { name: 'End', taskType: 'conclude', configuration: { outcome: 'done' } },
      ],
    });
    const assignment = await workspace.begin(definitionId);
    await assignment.heard('Hello.');
    await assignment.write('go on');
    await assignment.heard('Reason for the visit');
    await assignment.write('A sore knee');
    await assignment.concluded('completed');
    return `assignment-${assignment.assignmentUuid}`;
  },

  'run-assignment-selected': async (system, workspace) => {
    const assignment = await workspace.begin(await workspace.publish(doors));
    await assignment.heard('Welcome to the hall.');
    for (const task of ['Locked', 'Open', 'Locked']) {
      const path = `/assignments/${assignment.assignmentId}/tasks/${await assignment.taskId(task)}/select`;
      await system.api.request('PUT', workspace.path(path), { apiKey: workspace.admin.apiKey });
    }
    await assignment.heard('locked room');
    return `assignment-${assignment.assignmentUuid}`;
  },

  'run-assignment-cancelled-in-turn': async (system, workspace) => {
    const texter = await workspace.addTexter();
    await system.model.script([{ hold: true, content: 'too late' }], texter.row.name ?? '');
    const assignment = await workspace.begin(await workspace.publish(doors), texter);
    await system.model.held();
    const path = workspace.path(`/assignments/${assignment.assignmentId}/cancel`);
    await system.api.request('POST', path, { apiKey: workspace.admin.apiKey, body: {} });
    await system.model.release();
    return `assignment-${assignment.assignmentUuid}`;
  },

  'run-assignment-cancelled-in-temporal': async (system, workspace) => {
    const assignment = await workspace.begin(await workspace.publish(doors));
    await assignment.heard('Welcome to the hall.');
    await system.run('runAssignment', assignment.assignmentUuid).cancel();
    await assignment.concluded('cancelled');
    return `assignment-${assignment.assignmentUuid}`;
  },

  'answer-chat': async (system, workspace) => {
    const chat = await workspace.openChat();
    await system.model.script([{ hold: true, content: 'too late' }], chat.texter.row.name ?? '');
    await chat.write('one');
    await system.model.held();
    await chat.write('two');
    await system.model.release();
    await chat.heard('one / two');
    return `chat-${chat.chatUuid}`;
  },

  'answer-chat-given-up': async (system, workspace) => {
    const chat = await workspace.openChat();
    await system.model.script([{ status: 400, error: 'content_filter' }], chat.texter.row.name ?? '');
    await chat.write('hello');
    await waitFor('a person is called', async () => (await chat.chat()).needsResponse);
    return `chat-${chat.chatUuid}`;
  },

  'answer-chat-followed-up': async (system, workspace) => {
    const chat = await workspace.openChat();
    const followUp = { after: 'PT1S', instructions: 'Ask how it went' };
    await system.model.script(
      [{ toolCalls: [{ name: 'schedule_follow_up', arguments: followUp }] }, { content: 'I will.' }],
      chat.texter.row.name ?? '',
    );
    await chat.write('remind me');
    await chat.heard('Ask how it went');
    return `chat-${chat.chatUuid}`;
  },

  'deliver-messages': async (system, workspace) => {
    const chat = await workspace.openChat();
    await system.carrier.turn({ handset: chat.texter.phone, busy: { rate: 1, retryAfterSeconds: 1 } });
    for (const content of ['one', 'two']) {
      const path = workspace.path(`/chats/${chat.chatId}/messages`);
      await system.api.request('POST', path, { apiKey: workspace.admin.apiKey, body: { content } });
    }
    await chat.settled();
    return `deliveries-${chat.chatUuid}`;
  },

  'reconcile-runs': async (system) => {
    const workflowId = `reconcile-${randomUUID()}`;
    await system.client.workflow.execute('reconcileRuns', { workflowId, taskQueue: taskQueues.runs });
    return workflowId;
  },
};

async function record(): Promise<void> {
  const backends = new TestBackends();
  try {
    const [postgres, temporal, bundle] = await Promise.all([
      backends.postgres(),
      backends.temporal(),
      backends.workflows(),
    ]);
    const testDatabase = await cloneTemplate(postgres.port, postgres.superuserUrl);
    const system = await startSystem({
      testDatabase,
      temporalAddress: temporal.address,
      workflowBundle: bundle.path,
    });
    const workspace = await createSmsWorkspace(system);
    await workspace.addDataType(intakeDataType);
    for (const [name, play] of Object.entries(scenarios)) {
      const workflowId = await play(system, workspace);
      const [run] = await waitFor('the run is listed', async () => {
        const runs = await recordRuns(system, `WorkflowId = '${workflowId}'`);
        return runs.length > 0 && runs;
      });
      const path = fileURLToPath(new URL(`histories/${name}.json`, import.meta.url));
      await writeFile(path, `${withoutMachine(run?.json ?? '')}\n`);
    }
    await system.stop();
    await testDatabase.drop();
  } finally {
    await backends.stop();
  }
}

/** The name of a machine is nobody's business, and no part of the story. */
function withoutMachine(json: string): string {
  return json.replaceAll(new RegExp(`\\d+@${hostname()}`, 'g'), 'worker');
}

await record();
