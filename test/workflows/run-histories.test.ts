import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { getMemberImport } from '../../domain/people/imports/follow-import.js';
import { intakeDataType } from '../../tools/dev/seed/clinic-intake.js';
import { views } from '../../tools/screenshots/views.js';
import { taskQueues } from '../../workflows/contracts/runs.js';
import { openInbox } from '../support/emails/open-inbox.js';
import { addPendingFile } from '../support/files/pending-file.js';
import { png } from '../support/files/samples.js';
import { allOf } from '../support/lib/csv-file.js';
import { waitFor } from '../support/lib/wait-for.js';
import { requestImport, signedInContext } from '../support/people/request-import.js';
import { calling } from '../support/simulators/simulated-model.js';
import { startSimulatedWebsite } from '../support/simulators/simulated-website.js';
import { addSite } from '../support/sites/add-site.js';
import type { SmsAssignment } from '../support/system/sms-workspace.js';
import { startSystem } from '../support/system/system.js';
import { useSmsWorkspace } from '../support/system/use-sms-workspace.js';
import { startWebhookReceiver } from '../support/webhooks/webhook-receiver.js';
import { stageWebhooks } from '../support/webhooks/webhook-stage.js';
import { actionsOf, type RecordedRun, readable, recordRuns, summariesOf } from './histories.js';
import { beginInHall, talk } from './small-trees.js';

const { system, workspace } = useSmsWorkspace(startSystem);

beforeAll(() => workspace.addDataType(intakeDataType));

const workflowIds = async (query: string) =>
  (await allOf(system.client.workflow.list({ query }))).map(({ workflowId }) => workflowId).sort();

describe('a run in the Temporal UI', () => {
  it('shows its summary, state and a summary of each step', async () => {
    const assignment = await beginInHall(workspace);
    await assignment.settled();
    const { assignmentId, chatId, texter } = assignment;
    const run = system.run('runAssignment', assignment.assignmentUuid);

    const description = await run.describe();
    expect(await description.staticSummary()).toMatch(
      new RegExp(`^Workflow \\w+: assignment ${assignmentId} of member ${texter.memberId}$`),
    );
    expect(await description.staticDetails()).toContain(`in chat ${chatId}`);
    const metadata = await run.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    expect(metadata.currentDetails).toContain('Task **Hall**: waits for the member');

    const [history] = await recordRuns(system, `WorkflowId = 'assignment-${assignment.assignmentUuid}'`);
    expect(history && summariesOf(history)).toEqual([
      await description.staticSummary(),
      'Take the next step',
      'Ask the model in “Hall”',
    ]);
  });

  it('shows the way through the tasks, in summaries, results and details', async () => {
    const assignment = await beginInHall(workspace);
    await assignment.write('the open room');
    await assignment.heard('You are in the open room.');
    await assignment.settled();

    const [history] = await recordRuns(system, `WorkflowId = 'assignment-${assignment.assignmentUuid}'`);

    const summaries = history === undefined ? [] : summariesOf(history);
    const lastStepInHall = summaries.lastIndexOf('Take the next step in “Hall”');
    expect(summaries.slice(lastStepInHall)).toEqual([
      'Take the next step in “Hall”',
      'Ask the model in “Hall”',
      'Run select_task in “Hall”',
      'Ask the model in “Open”, from “Hall”',
    ]);
    expect(history && readable(history)).toContain('"walk":["Hall","Open"]');
    const run = system.run('runAssignment', assignment.assignmentUuid);
    const metadata = await run.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    expect(metadata.currentDetails).toContain('Tasks visited: Hall → Open');
  });

  it('ends as cancelled if the API cancels the assignment, and names the task', async () => {
    const assignment = await beginInHall(workspace);
    const run = system.run('runAssignment', assignment.assignmentUuid);

    await workspace.asAdmin('POST', `/assignments/${assignment.assignmentId}/cancel`, {});

    await waitFor('it has ended', async () => (await run.describe()).status.name === 'CANCELLED');
    const metadata = await run.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    expect(metadata.currentDetails).toContain('Task **Hall**: concluded, `cancelled`.');
  });

  it('completes if a person ends the assignment as failed, and says so', async () => {
    const assignment = await beginInHall(workspace);

    const path = `/assignments/${assignment.assignmentId}`;
    const outcome = 'planted words of an operator';
    await workspace.asAdmin('PUT', path, { status: 'failed', outcome });

    const run = system.run('runAssignment', assignment.assignmentUuid);
    expect(await run.result()).toEqual({ status: 'failed', taskName: 'Hall' });
  });

  it('shows the names of its timers', async () => {
    const waits = await workspace.publish({
      ...talk('Start', 'Hello.'),
      children: [
        {
          name: 'Later',
          taskType: 'wait',
          choicePrompt: 'Wait a while',
          autoNext: true,
          configuration: { for: 'P2D' },
        },
        { name: 'End', taskType: 'conclude', configuration: { outcome: 'done' } },
      ],
    });
    const assignment = await workspace.begin(waits);
    await assignment.heard('Hello.');
    await assignment.write('wait a while');
    await assignment.stands('Later');
    const run = system.run('runAssignment', assignment.assignmentUuid);

    const timers = await waitFor('the timer has started', async () => {
      const [history] = await recordRuns(system, `WorkflowId = 'assignment-${assignment.assignmentUuid}'`);
      const started = history?.events.filter(({ eventType }) => eventType.endsWith('TIMER_STARTED')) ?? [];
      return history !== undefined && started.length > 0 && summariesOf({ ...history, events: started });
    });

    expect(timers).toEqual([
      expect.stringMatching(/^Wait in “Later”, at most until \d{4}-\d\d-\d\dT[\d:.]+Z$/),
    ]);
    const metadata = await run.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    expect(metadata.currentDetails).toMatch(/Task \*\*Later\*\*: waits for the time to come \(until \d{4}-/);
  });

  it('is found by its search attributes', async () => {
    const assignment = await beginInHall(workspace);
    const run = `assignment-${assignment.assignmentUuid}`;
    const deliveries = `deliveries-${assignment.chatUuid}`;

    const ofChat = () => workflowIds(`ChatId = '${assignment.chatId}'`);
    await waitFor('both are listed', async () => (await ofChat()).length === 2);

    expect(await ofChat()).toEqual([run, deliveries]);
    expect(await workflowIds(`MemberId = '${assignment.texter.memberId}'`)).toEqual([run, deliveries]);
    expect(await workflowIds(`AssignmentId = '${assignment.assignmentId}'`)).toEqual([run]);
    expect(await workflowIds(`WorkspaceUuid = '${workspace.workspaceUuid}'`)).toContain(run);
    const summary = await system.run('runAssignment', assignment.assignmentUuid).describe();
    expect(summary.searchAttributes.Summary).toEqual([await summary.staticSummary()]);
  });

  it.each(Object.entries(views))('is in the view %s or not, as its query says', async (name, query) => {
    const assignment = await beginInHall(workspace);
    const run = `assignment-${assignment.assignmentUuid}`;
    const shown = ['Work with members', 'All but webhooks', 'Assignments in progress'].includes(name);
    await waitFor('it is listed', async () => (await workflowIds(`WorkflowId = '${run}'`)).length === 1);

    expect((await workflowIds(query)).includes(run)).toBe(shown);
  });
});

describe('the Temporal histories', () => {
  it('contain no messages and no personal data', async () => {
    const planted = {
      name: 'Planted Name',
      question: 'planted question of the member',
      answer: 'planted answer of the model',
      value: 'planted value of a record',
      reason: 'planted reason to cancel',
      operator: 'planted words of a colleague',
      followUp: 'planted instructions of a follow-up',
    };
    const texter = await workspace.addTexter(planted.name);
    const definitionId = await workspace.publish({
      ...talk('Ask', 'Tell me.'),
      abilities: [
        { abilityType: 'handoff' },
        { abilityType: 'schedule_follow_up' },
        { abilityType: 'save_data', config: { dataTypeSlug: 'intake', fieldSlugs: ['reason'] } },
      ],
    });
    await system.model.script(
      [
        {},
        calling('save_data', { reason: planted.value }),
        calling('schedule_follow_up', { after: 'P1D', instructions: planted.followUp }),
        { error: 'drop' },
        { content: planted.answer },
        { status: 400, error: 'content_filter' },
      ],
      planted.name,
    );
    const assignment = await workspace.begin(definitionId, texter);
    await assignment.heard('Tell me.');
    await assignment.write(planted.question);
    await assignment.heard(planted.answer);
    await assignment.write(`${planted.question}, again`);
    await waitFor('a colleague is alerted', async () => (await assignment.chat()).needsResponse);
    await assignment.post(planted.operator);
    const cancel = `/assignments/${assignment.assignmentId}/cancel`;
    await workspace.asAdmin('POST', cancel, { reason: planted.reason });
    await assignment.concluded('cancelled');
    await assignment.settled();

    const runs = await recordRuns(system, `ChatId = '${assignment.chatId}'`);

    expect(runs.map(({ type }) => type).sort()).toEqual(
      expect.arrayContaining(['deliverMessages', 'runAssignment']),
    );
    const { phone } = texter;
    const secrets = [...Object.values(planted), phone, phone.slice(2), workspace.number, 'planted'];
    for (const run of runs) {
      for (const secret of secrets) expect(readable(run).toLowerCase()).not.toContain(secret.toLowerCase());
    }
  });
});

async function actionsSince(query: string, before: RecordedRun[]): Promise<string[]> {
  const known = new Map(before.map((run) => [run.runId, actionsOf(run)]));
  const left = (await recordRuns(system, query)).map((run) => {
    const actions = actionsOf(run);
    for (const old of known.get(run.runId) ?? []) actions.splice(actions.indexOf(old), 1);
    return actions;
  });
  return left.flat().sort();
}

/** The actions of what is done with an assignment at rest in the hall. */
async function actionsInHall(work: (assignment: SmsAssignment) => Promise<void>): Promise<string[]> {
  const assignment = await beginInHall(workspace);
  await assignment.settled();
  const query = `WorkflowId = 'assignment-${assignment.assignmentUuid}'`;
  const before = await recordRuns(system, query);
  await work(assignment);
  await assignment.settled();
  return actionsSince(query, before);
}

const outboxOf = (subject: string) => workspace.select('select id from outbox where subject = ?', [subject]);

/** Current counts, which may only decrease. */
describe('the billable Temporal Actions', () => {
  it('do not increase for a turn over SMS in an assignment', async () => {
    const actions = await actionsInHall(async (assignment) => {
      await assignment.write('hm');
      await assignment.heard('I did not get that.');
    });
    expect(actions).toEqual(['activity', 'local activities', 'signal']);
  });

  it('are two more for a time in which an assignment stands, and none for one that never does', async () => {
    const actions = await actionsInHall(async (assignment) => {
      const pause = (paused: boolean) => workspace.asAdmin('PUT', `/chats/${assignment.chatId}`, { paused });
      const run = system.run('runAssignment', assignment.assignmentUuid);
      const stands = async () => (await run.describe()).searchAttributes.Stands?.[0] ?? undefined;
      await pause(true);
      await run.signal('poke');
      await waitFor('it stands', async () => (await stands()) === 'paused');
      await pause(false);
      await waitFor('it goes on', async () => (await stands()) === undefined);
    });
    expect(actions.filter((action) => action === 'search attributes')).toHaveLength(2);
  });

  it('do not increase for a turn over SMS in a chat', async () => {
    const chat = await workspace.openChat();

    await chat.write('hello');
    await chat.heard('You wrote: hello.');
    await system.run('answerChat', chat.chatUuid).result();

    const actions = await actionsSince(`WorkflowId = 'chat-${chat.chatUuid}'`, []);
    expect(actions).toEqual(['activity', 'local activities', 'start']);
  });

  it.each([
    { receipts: 'late', late: [500, 500] },
    { receipts: 'before the carrier has answered', late: [0, 0] },
  ] as const)('do not increase for a delivered SMS with receipts $receipts', async ({ late }) => {
    await system.carrier.turn({ late: [...late] });
    onTestFinished(() => system.carrier.turn({ late: [0, 0] }));
    const chat = await workspace.openChat();
    await chat.post('hello');
    await chat.settled();
    await waitFor('the relay has brought all', async () => (await outboxOf(chat.chatUuid)).length === 0);
    await system.run('deliverMessages', chat.chatUuid).result();

    const actions = await actionsSince(`WorkflowId = 'deliveries-${chat.chatUuid}'`, []);

    expect(actions).toEqual(['activity', 'start']);
  });

  it('do not increase with the pages of a crawl, and a pass that begins crawls is two', async () => {
    const website = await startSimulatedWebsite();
    onTestFinished(() => website.close());
    const { id, uuid } = await addSite(workspace, { isPublic: false });
    await workspace.asAdmin('POST', `/sites/${id}/crawl`, { url: `${website.site}/`, limit: 6 });
    const ended = async () => !(await workspace.asAdmin('GET', `/sites/${id}`)).body.crawl;
    await waitFor('the crawl ends', ended, 60_000);
    expect(await system.run('crawlSite', uuid).result()).toEqual({ outcome: 'completed', read: 6 });
    expect(await actionsSince(`WorkflowId = 'crawl-${uuid}'`, [])).toEqual(['activity', 'signal', 'start']);

    const workflowId = `start-due-crawls-${uuid}`;
    const options = { workflowId, taskQueue: taskQueues.runs, args: [] };
    const pass = await system.client.workflow.start('startDueCrawls', options);
    expect(await pass.result()).toEqual({ started: 0, skipped: 0, failed: 0 });
    expect(await actionsSince(`WorkflowId = '${workflowId}'`, [])).toEqual(['activity', 'start']);
  });

  it('do not increase for a file that is indexed', async () => {
    const { uuid } = await addPendingFile(workspace, system.storage, 'The clinic is open on Saturdays.');
    const run = system.run('indexFile', uuid);
    await waitFor('it has begun', async () => (await run.describe().catch(() => undefined)) !== undefined);

    expect(await run.result()).toEqual({ outcome: 'indexed', pages: 1 });

    const query = `WorkflowId = 'index-${uuid}'`;
    expect(await actionsSince(query, [])).toEqual(['activity', 'start']);
    const [history] = await recordRuns(system, query);
    expect(history && readable(history)).not.toContain('Saturdays');
    expect(history && summariesOf(history)).toContain('Index the text, from the last stored page on');
    const metadata = await run.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    expect(metadata.currentDetails).toBe('Ended: `indexed`, 1 pages.');
    // Texts are extracted at a low priority, which waits where all cores are busy.
  }, 120_000);

  it('do not increase for an import of members', async () => {
    const csv = 'name,external_id\nZebra,zebra-1\nNobody,\n';
    const context = signedInContext(workspace, workspace.admin);
    const { uuid, id } = await requestImport(context, system.storage, csv);
    const run = system.run('importMembers', uuid);
    await waitFor('it has begun', async () => (await run.describe().catch(() => undefined)) !== undefined);

    expect(await run.result()).toEqual({ outcome: 'completed', done: 2, total: 2 });

    const query = `WorkflowId = 'member-import-${uuid}'`;
    expect(await actionsSince(query, [])).toEqual(['activity', 'start']);
    const [history] = await recordRuns(system, query);
    expect(history && readable(history)).not.toMatch(/zebra/i);
    expect(history && summariesOf(history)).toContain('Import the next rows');
    const metadata = await run.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    expect(metadata.currentDetails).toBe('Ended: `completed`, 2 of 2 rows.');
    expect(await getMemberImport(context, uuid)).toMatchObject({ id, created: 1, failedRows: [3] });
  });

  it('do not increase for the media of a message', async () => {
    const chat = await workspace.openChat();
    await chat.write('See', [{ contentType: 'image/png', bytes: png() }]);
    const uuid = (await chat.history()).find(({ role }) => role === 'user')?.uuid ?? '';
    const run = system.run('fetchMedia', uuid);
    await waitFor('it has begun', async () => (await run.describe().catch(() => undefined)) !== undefined);

    expect(await run.result()).toEqual({ stored: 1, failed: 0 });

    const query = `WorkflowId = 'media-${uuid}'`;
    expect(await actionsSince(query, [])).toEqual(['activity', 'start']);
    const [history] = await recordRuns(system, query);
    expect(history && summariesOf(history)).toContain('Fetch the media that are not there yet');
    const metadata = await run.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    expect(metadata.currentDetails).toBe('Ended: 1 stored, 0 given up.');
  });

  it('do not increase for a mail that is received', async () => {
    const inbox = await openInbox(system, workspace);
    const { uuid } = await inbox.handIn('Here is a word that stays: zebra.');
    const run = system.run('receiveEmail', uuid);
    await waitFor('it has begun', async () => (await run.describe().catch(() => undefined)) !== undefined);

    expect(await run.result()).toEqual({ state: 'chat', reason: 'new_chat' });

    const query = `WorkflowId = 'inbound-email-${uuid}'`;
    expect(await actionsSince(query, [])).toEqual(['activity', 'start']);
    const [history] = await recordRuns(system, query);
    expect(history && readable(history)).not.toMatch(/zebra|example\.org/);
    expect(history && summariesOf(history)).toContain('Read the mail, and take it where it belongs');
    const metadata = await run.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    expect(metadata.currentDetails).toBe('Ended: `chat` (new_chat).');
  }, 60_000);

  it('do not increase for an event delivered at the first attempt', async () => {
    const receiver = await startWebhookReceiver();
    onTestFinished(() => receiver.close());
    const stage = await stageWebhooks(workspace, { url: receiver.url() });
    const [delivery] = await stage.happen();
    const run = system.run('deliverWebhook', delivery?.uuid ?? '');
    await waitFor('it is delivered', async () => (await run.result()).status === 'delivered');

    const actions = await actionsSince(`WorkflowId = '${run.workflowId}'`, []);

    expect(actions).toEqual(['activity', 'start']);
  });

  it('do not increase for a select that the agent comments on', async () => {
    const actions = await actionsInHall(async (assignment) => {
      await assignment.select('Open');
      await assignment.heard('You are in the open room.');
    });
    expect(actions).toEqual(['activity', 'local activities', 'update']);
  });

  it('do not increase for a cancellation', async () => {
    const assignment = await beginInHall(workspace);
    await assignment.settled();
    const run = system.run('runAssignment', assignment.assignmentUuid);
    const before = await recordRuns(system, `WorkflowId = '${run.workflowId}'`);
    await workspace.asAdmin('POST', `/assignments/${assignment.assignmentId}/cancel`, {});
    await waitFor('it has ended', async () => (await run.describe()).status.name === 'CANCELLED');

    const actions = await actionsSince(`WorkflowId = '${run.workflowId}'`, before);

    expect(actions).toEqual(['local activities', 'timer', 'update']);
  });
});
