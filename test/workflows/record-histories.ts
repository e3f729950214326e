/**
 * Records a history of every type of run, for the replay test: `npx tsx test/workflows/record-histories.ts`.
 * Run it when a run's story changes and the old one is not to be supported any more; otherwise use `patched`.
 */
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { lockChat } from '../../db/queries/chats.js';
import { freePort } from '../../dev/provision/ports.js';
import { ProcessTable } from '../../dev/provision/process-table.js';
import { startTemporal } from '../../dev/provision/temporal-server.js';
import { intakeDataType } from '../../dev/seed/clinic-intake.js';
import { taskQueues } from '../../workflows/contracts/runs.js';
import { TestBackends } from '../support/backends.js';
import { cloneTemplate } from '../support/clone-template.js';
import { createSmsWorkspace, type SmsWorkspace } from '../support/sms-workspace.js';
import { startSystem, type TestSystem } from '../support/system.js';
import { waitFor } from '../support/wait-for.js';
import { recordRuns } from './histories.js';
import { playLoginCode } from './play-login-code.js';
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

  'run-assignment-selected-in-a-burst': async (system, workspace) => {
    const assignment = await workspace.begin(await workspace.publish(doors));
    await assignment.heard('Welcome to the hall.');
    const [open, hall] = [await assignment.taskId('Open'), await assignment.taskId('Hall')];
    const select = (id: number) =>
      system.api.request(
        'PUT',
        workspace.path(`/assignments/${assignment.assignmentId}/tasks/${id}/select`),
        {
          apiKey: workspace.admin.apiKey,
        },
      );
    await Promise.all(Array.from({ length: 20 }, (_, index) => select(index % 2 === 0 ? open : hall)));
    await select(open);
    await assignment.heard('You are in the open room.');
    return `assignment-${assignment.assignmentUuid}`;
  },

  'run-assignment-selected-in-turn': async (system, workspace) => {
    const assignment = await workspace.begin(await workspace.publish(doors));
    await assignment.heard('Welcome to the hall.');
    await system.model.script(
      [{ hold: true, content: 'still in the hall' }],
      assignment.texter.row.name ?? '',
    );
    await assignment.write('hello');
    await system.model.held();
    const path = `/assignments/${assignment.assignmentId}/tasks/${await assignment.taskId('Open')}/select`;
    await system.api.request('PUT', workspace.path(path), { apiKey: workspace.admin.apiKey });
    await system.model.release();
    await assignment.heard('open room');
    return `assignment-${assignment.assignmentUuid}`;
  },

  'run-assignment-with-slow-steps': async (system, workspace) => {
    const assignment = await workspace.begin(await workspace.publish(doors));
    await assignment.heard('Welcome to the hall.');
    await assignment.settled();
    await whileLocked(system, workspace, assignment.chatId, 3_000, async () => {
      const path = `/assignments/${assignment.assignmentId}/tasks/${await assignment.taskId('Open')}/select`;
      await system.api.request('PUT', workspace.path(path), { apiKey: workspace.admin.apiKey });
    });
    await assignment.heard('open room');
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

  'deliver-messages-unknown-outcome': async (system, workspace) => {
    const chat = await workspace.openChat();
    await system.carrier.turn({
      handset: chat.texter.phone,
      dropConnectionAfterAccept: 1,
      late: [1_500, 1_500],
    });
    for (const content of ['one', 'two']) {
      const path = workspace.path(`/chats/${chat.chatId}/messages`);
      await system.api.request('POST', path, { apiKey: workspace.admin.apiKey, body: { content } });
    }
    await waitFor('both are with the carrier', async () => (await chat.carried()).length === 2);
    await system.run('deliverMessages', chat.chatUuid).result();
    return `deliveries-${chat.chatUuid}`;
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

  'send-login-code': playLoginCode,

  'reconcile-runs': async (system) => {
    const workflowId = `reconcile-${randomUUID()}`;
    await system.client.workflow.execute('reconcileRuns', { workflowId, taskQueue: taskQueues.runs });
    return workflowId;
  },
};

/** Work while another transaction holds the chat: what needs its row has to wait. */
async function whileLocked(
  system: TestSystem,
  { workspaceId }: SmsWorkspace,
  chatId: number,
  ms: number,
  work: () => Promise<void>,
): Promise<void> {
  let working: Promise<void> | undefined;
  await system.database.inWorkspace(workspaceId, async (tx) => {
    await lockChat(tx, chatId);
    working = work();
    await delay(ms);
  });
  await working;
}

/** Played on a server that thinks histories long which are not. */
const longScenarios: Record<string, Scenario> = {
  'run-assignment-continued-as-new': async (system, workspace) => {
    const assignment = await workspace.begin(await workspace.publish(doors));
    await assignment.heard('Welcome to the hall.');
    const runId = async () => {
      const { runId: id } = await system.run('runAssignment', assignment.assignmentUuid).describe();
      return id;
    };
    const first = await runId();
    await waitFor('it is continued', async () => {
      const before = (await assignment.said('assistant')).length;
      await assignment.write('hm');
      await waitFor('it is answered', async () => (await assignment.said('assistant')).length > before);
      return (await runId()) !== first;
    });
    return `assignment-${assignment.assignmentUuid}`;
  },
};

async function record(): Promise<void> {
  const backends = new TestBackends();
  const processes = new ProcessTable();
  try {
    const { address, program, folder } = await backends.temporal();
    const impatient = await startTemporal({
      processes,
      program,
      port: await freePort(),
      logFile: join(folder, 'impatient.log'),
      settings: ['limit.historyCount.suggestContinueAsNew=20'],
    });
    await play(backends, address, scenarios);
    await play(backends, impatient.address, longScenarios);
  } finally {
    await processes.killAll();
    await backends.stop();
  }
}

async function play(
  backends: TestBackends,
  temporalAddress: string,
  stories: Record<string, Scenario>,
): Promise<void> {
  const [postgres, bundle] = await Promise.all([backends.postgres(), backends.workflows()]);
  const testDatabase = await cloneTemplate(postgres.port, postgres.superuserUrl);
  const system = await startSystem({ testDatabase, temporalAddress, workflowBundle: bundle.path });
  const workspace = await createSmsWorkspace(system);
  await workspace.addDataType(intakeDataType);
  for (const [name, scenario] of Object.entries(stories)) {
    const workflowId = await scenario(system, workspace);
    // The oldest: where one was continued, that is the one which says so.
    const run = await waitFor('the run is listed', async () =>
      (await recordRuns(system, `WorkflowId = '${workflowId}'`)).at(-1),
    );
    const path = fileURLToPath(new URL(`histories/${name}.json`, import.meta.url));
    await writeFile(path, `${withoutMachine(run.json)}\n`);
  }
  await system.stop();
  await testDatabase.drop();
}

/** The name of a machine is nobody's business, and no part of the story. */
function withoutMachine(json: string): string {
  return json.replaceAll(new RegExp(`\\d+@${hostname()}`, 'g'), 'worker');
}

await record();
