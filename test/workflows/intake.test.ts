import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clinicIntake, intakeDataType } from '../../tools/dev/seed/clinic-intake.js';
import { recordsOfMember } from '../support/records/records-of-member.js';
import { createSmsWorkspace, type SmsWorkspace } from '../support/system/sms-workspace.js';
import { startSystem, type TestSystem } from '../support/system/system.js';

let system: TestSystem;
let workspace: SmsWorkspace;
let definitionId: number;

beforeAll(async () => {
  system = await startSystem();
  workspace = await createSmsWorkspace(system);
  await workspace.addDataType(intakeDataType);
  definitionId = await workspace.publish(clinicIntake);
});
afterAll(() => system.stop());

describe('a complete intake over SMS', () => {
  it('leads a member through every kind of task to the end', async () => {
    const intake = await workspace.begin(definitionId);

    await intake.heard('Shall we prepare your first visit now?');
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
    expect(await run.result()).toEqual({ status: 'completed' });
    await intake.settled();
    const outbound = (await intake.history()).filter((row) => row.smsDeliveryStatus !== null);
    expect(outbound.map((row) => row.smsDeliveryStatus)).toEqual(outbound.map(() => 'delivered'));
    expect(await intake.carried()).toEqual(await intake.said('assistant'));
  });

  it('hands off to a person at high pain, and continues when the person resumes the chat', async () => {
    const intake = await workspace.begin(definitionId);
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

    const given = await system.api.request('PUT', workspace.path(`/chats/${intake.chatId}`), {
      apiKey: workspace.admin.apiKey,
      body: { paused: false },
    });

    expect(given.status).toBe(200);
    await intake.heard('Do you agree');
    await intake.write('no');
    expect(await intake.concluded('completed')).toMatchObject({ outcome: 'consent_declined' });
  });
});
