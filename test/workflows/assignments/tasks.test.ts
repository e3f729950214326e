import { beforeAll, describe, expect, it } from 'vitest';
import { smsText } from '../../../domain/channels/sms/sms-text.js';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import { clinicIntake, intakeDataType } from '../../../tools/dev/seed/clinic-intake.js';
import { insertIndexedFile, page } from '../../support/files/indexed-file.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { recordsOfMember } from '../../support/records/records-of-member.js';
import type { SmsAssignment } from '../../support/system/sms-workspace.js';
import { startSystem, type TestSystem } from '../../support/system/system.js';
import { useSmsWorkspace } from '../../support/system/use-sms-workspace.js';
import { talk } from '../small-trees.js';

const { system, workspace } = useSmsWorkspace(startSystem);
beforeAll(() => workspace.addDataType(intakeDataType));

const begin = async (rootTask: RevisionTask): Promise<SmsAssignment> =>
  workspace.begin(await workspace.publish(rootTask));

const script = (assignment: SmsAssignment, replies: Parameters<TestSystem['model']['script']>[0]) =>
  system.model.script(replies, assignment.texter.row.name ?? '');

const savesIntake = {
  abilityType: 'save_data',
  config: { dataTypeSlug: 'intake', fieldSlugs: ['reason', 'pain_level'] },
};

describe('a wait task', () => {
  const waiting = (unlessReply: boolean): RevisionTask =>
    talk('Start', 'Hello.', {
      children: [
        {
          name: 'Later',
          taskType: 'wait',
          choicePrompt: 'Go on',
          autoNext: true,
          configuration: { for: 'PT1H', unlessReply },
          children: [
            { name: 'After', taskType: 'message', autoNext: true, configuration: { text: 'It goes on.' } },
          ],
        },
      ],
    });

  async function untilLater(unlessReply: boolean): Promise<SmsAssignment> {
    const assignment = await begin(waiting(unlessReply));
    await assignment.heard('Hello.');
    await assignment.write('go on');
    await assignment.stands('Later');
    return assignment;
  }

  it('ends early on a reply if configured', async () => {
    const assignment = await untilLater(true);

    await assignment.write('I am here');

    await assignment.heard('It goes on.');
    await assignment.concluded('completed');
  });

  it('continues on a reply otherwise, and the agent answers', async () => {
    const assignment = await untilLater(false);

    await script(assignment, [{ content: 'Not yet.' }]);
    await assignment.write('I am here');

    await assignment.heard('Not yet.');
    expect(await assignment.currentTask()).toBe('Later');
  });
});

describe('the agent in an assignment', () => {
  const able = (abilities: RevisionTask['abilities']): RevisionTask => ({
    name: 'Talk',
    taskType: 'conversation',
    prompt: 'Say "Hello."',
    abilities: [{ abilityType: 'handoff' }, ...(abilities ?? [])],
  });

  it('can conclude the assignment and then sends nothing more', async () => {
    const assignment = await begin(able([{ abilityType: 'conclude' }]));
    await assignment.heard('Hello.');
    await script(assignment, [
      { toolCalls: [{ name: 'conclude', arguments: { outcome: 'helped', outcomeReason: 'All is said.' } }] },
      { content: 'one word too many' },
    ]);

    await assignment.write('thanks, bye');

    expect(await assignment.concluded('completed')).toMatchObject({ outcome: 'helped' });
    await system.run('runAssignment', assignment.assignmentUuid).result();
    expect(await assignment.said('assistant')).toEqual(['Hello.']);
  });

  it('ends with its run when a colleague concludes it by a tool call', async () => {
    const assignment = await begin(able([{ abilityType: 'conclude' }]));
    await assignment.heard('Hello.');
    const input = JSON.stringify({ outcome: 'helped' });
    const call = { id: 'call_1', type: 'function', function: { name: 'conclude', arguments: input } };
    const path = `/chats/${assignment.chatId}/send-assistant-message`;

    const sent = await workspace.asAdmin('POST', path, { message: 'Goodbye.', tool_calls: [call] });

    expect(sent.status).toBe(201);
    expect(await system.run('runAssignment', assignment.assignmentUuid).result()).toMatchObject({
      status: 'completed',
    });
  });

  it('can hand off to a person and is then silent until the chat is resumed', async () => {
    const assignment = await begin(able([]));
    await assignment.heard('Hello.');

    await assignment.write('I want to talk to a person');
    await waitFor('a colleague is alerted', async () => (await assignment.chat()).needsResponse);
    await assignment.write('anybody?');

    expect(await assignment.chat()).toMatchObject({ paused: true, pausedReason: 'handoff' });
    expect(await assignment.said('assistant')).toEqual(['Hello.']);
    await workspace.asAdmin('PUT', `/chats/${assignment.chatId}`, { paused: false });
    await waitFor('it answers', async () => (await assignment.said('assistant')).length === 2);
  });

  it('can send an SMS besides its reply, once', async () => {
    const assignment = await begin(able([{ abilityType: 'send_sms' }]));
    await assignment.heard('Hello.');
    await script(assignment, [
      { toolCalls: [{ name: 'send_sms', arguments: { text: 'The address is 1 Example Road.' } }] },
      { content: 'I sent it to you.' },
    ]);

    await assignment.write('where is it?');
    await assignment.heard('I sent it to you.');
    await assignment.settled();

    expect(await assignment.carried()).toEqual([
      'Hello.',
      'The address is 1 Example Road.',
      'I sent it to you.',
    ]);
  });

  it('receives errors for invalid tool calls and can correct them', async () => {
    const assignment = await begin(able([savesIntake]));
    await assignment.heard('Hello.');
    await script(assignment, [
      {
        toolCalls: [
          { name: 'save_data', arguments: { pain_level: 'much' } },
          { name: 'no_such_tool', arguments: {} },
          { name: 'save_data', arguments: 'no JSON' },
        ],
      },
      { toolCalls: [{ name: 'save_data', arguments: { pain_level: 7 } }] },
      { content: 'Noted.' },
    ]);

    await assignment.write('it hurts much');
    await assignment.heard('Noted.');

    const results = (await assignment.history())
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => content);
    expect(results.map((result) => JSON.parse(String(result)))).toMatchObject([
      { ok: false, error: 'invalid_arguments' },
      { ok: false, error: 'tool_not_available' },
      { ok: false, error: 'invalid_arguments' },
      { ok: true, saved: ['pain_level'] },
    ]);
  });

  it('keeps the effect of a tool, once, when it is interrupted between the tool and its reply', async () => {
    const assignment = await begin(able([savesIntake]));
    await assignment.heard('Hello.');
    await script(assignment, [
      { toolCalls: [{ name: 'save_data', arguments: { reason: 'A sore knee' } }] },
      { hold: true, content: 'too late' },
      { content: 'Both noted.' },
    ]);

    await assignment.write('my knee');
    await system.model.held();
    await assignment.write('and my elbow');
    await system.model.release();

    await assignment.heard('Both noted.');
    expect(await assignment.said('assistant')).toEqual(['Hello.', 'Both noted.']);
    expect((await assignment.history()).filter(({ role }) => role === 'tool')).toHaveLength(1);
    const last = (await system.model.requests(assignment.texter.row.name ?? '')).at(-1);
    const shown = JSON.stringify(last?.body.messages);
    expect(shown).toContain('A sore knee');
    expect(shown).toContain('and my elbow');
    expect(shown).not.toContain('too late');
  });
});

describe('a definition with an endless loop', () => {
  it('is concluded as failed with loop_detected', async () => {
    // Every round of the agent moves on to the next task, without a message of the member in between.
    const assignment = await begin(
      talk('A', 'Hello.', {
        children: [
          talk('B', 'There.', { choicePrompt: 'B', children: [talk('C', 'Here.', { choicePrompt: 'C' })] }),
        ],
      }),
    );
    await assignment.heard('Hello.');
    const b = await workspace.select<{ uuid: string }>(
      `select t.uuid from workflow_tasks t join assignment_tasks a on a.task_id = t.id
       where a.assignment_id = ? and t.name = 'B'`,
      [assignment.assignmentId],
    );
    await script(assignment, [
      { hold: true, toolCalls: [{ name: 'select_task', arguments: { task: b[0]?.uuid } }] },
    ]);
    await assignment.write('go');
    await system.model.held();
    await workspace.select('update assignments set automatic_steps = 100 where id = ? returning id', [
      assignment.assignmentId,
    ]);
    await system.model.release();

    expect(await assignment.concluded('failed')).toMatchObject({ outcome: 'loop_detected' });
  });
});

describe('a complete intake over SMS', () => {
  it('leads a member through every kind of task to the end', async () => {
    await insertIndexedFile(workspace, {
      title: 'Opening',
      pages: page('Come in. We answer calls from 8 to 18.'),
    });
    const intake = await begin(clinicIntake);

    await intake.heard('Shall we prepare your first visit now?');
    await intake.write('When do you answer calls?');
    await intake.heard('“Opening” says: We answer calls from 8 to 18.');
    await intake.write('yes');
    await intake.heard('Full name');
    await intake.write('Sam Example');
    await intake.heard('Date of birth');
    await intake.write('1990-02-03');
    await intake.heard('Reason for the visit');
    await intake.write('A sore knee');
    await intake.heard('Pain from 0 to 10');
    await intake.write('4');
    await intake.heard('Do you agree');
    await intake.write('yes, I agree');
    await intake.heard('Your visit is prepared.');

    const assignment = await intake.concluded('completed');
    expect(assignment).toMatchObject({
      outcome: 'intake_complete',
      currentTaskId: await intake.taskId('Done'),
    });
    const [record] = await system.database.inWorkspace(workspace.workspaceId, (tx) =>
      recordsOfMember(tx, intake.texter.memberId),
    );
    expect(record?.fieldValues).toEqual({
      full_name: 'Sam Example',
      date_of_birth: '1990-02-03',
      reason: 'A sore knee',
      pain_level: 4,
    });
    const run = system.run('runAssignment', intake.assignmentUuid);
    expect(await run.result()).toEqual({ status: 'completed', taskName: 'Done' });
    await intake.settled();
    const outbound = (await intake.history()).filter((row) => row.smsDeliveryStatus !== null);
    expect(outbound.map((row) => row.smsDeliveryStatus)).toEqual(outbound.map(() => 'delivered'));
    expect(await intake.carried()).toEqual((await intake.said('assistant')).map(smsText));
  });

  it('hands off to a person at high pain, and continues when the person resumes the chat', async () => {
    const intake = await begin(clinicIntake);
    for (const [question, answer] of [
      ['Shall we prepare', 'yes'],
      ['Full name', 'Sam Example'],
      ['Date of birth', '1990-02-03'],
      ['Reason for the visit', 'A broken arm'],
      ['Pain from 0 to 10', '9'],
    ] as const) {
      await intake.heard(question);
      await intake.write(answer);
    }
    await intake.stands('Nurse');
    expect(await intake.chat()).toMatchObject({ paused: true, pausedReason: 'handoff', needsResponse: true });

    const given = await workspace.asAdmin('PUT', `/chats/${intake.chatId}`, { paused: false });

    expect(given.status).toBe(200);
    await intake.heard('Do you agree');
    await intake.write('no');
    expect(await intake.concluded('completed')).toMatchObject({ outcome: 'consent_declined' });
  });
});
