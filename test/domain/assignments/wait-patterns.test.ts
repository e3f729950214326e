import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import { createLabel } from '../../../domain/kernel/labels.js';
import { memberLabels } from '../../../domain/people/member-labels/member-labels.js';
import { updateMember } from '../../../domain/people/members/update-member.js';
import { createDataRecord } from '../../../domain/records/data-records/create-data-record.js';
import { createDataType } from '../../../domain/records/data-types/create-data-type.js';
import { type StagedAssignment, stageAssignment } from '../../support/chats/staged-assignment.js';
import { days } from '../../support/lib/moved-clock.js';
import { addMember, type TestMember } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';
import { approval, escalation, reminder, waitForData } from './wait-patterns.js';

const suite = useWorkspace();
let member: TestMember;
beforeEach(async () => {
  member = await addMember(suite.workspace);
});

async function begin(pattern: RevisionTask): Promise<StagedAssignment> {
  const staged = await stageAssignment(suite.workspace, pattern, { member });
  await staged.advance();
  return staged;
}

/** So many days pass, and the run takes its next step. */
async function pass(staged: StagedAssignment, number: number) {
  staged.clock.advance(days(number));
  return staged.advance();
}

const said = async (staged: StagedAssignment) =>
  (await staged.messages()).filter(({ role }) => role === 'assistant').map(({ content }) => content);

describe('the pattern of a reminder', () => {
  it('reminds after a day, and talks with a member that answers', async () => {
    const late = await begin(reminder);
    expect(await pass(late, 1)).toMatchObject({ kind: 'turn', taskName: 'Talk' });
    expect(await said(late)).toHaveLength(2);

    const prompt = await begin(reminder);
    await prompt.memberWrites('Tomorrow');
    expect(await prompt.advance()).toMatchObject({ kind: 'turn', taskName: 'Talk' });
    expect(await said(prompt)).toHaveLength(1);
  });
});

describe('the pattern of an escalation', () => {
  it('hands over after three days without an answer', async () => {
    const staged = await begin(escalation);

    expect(await pass(staged, 1)).toMatchObject({ kind: 'wait', taskName: 'Late answer' });
    expect(await pass(staged, 2)).toMatchObject({ kind: 'wait', taskName: 'Call the member' });
    expect(await staged.chat()).toMatchObject({ paused: true, needsResponseReason: 'handoff' });
  });

  it('talks with a member that answers after the reminder', async () => {
    const staged = await begin(escalation);
    await pass(staged, 1);

    await staged.memberWrites('Tomorrow');

    expect(await staged.advance()).toMatchObject({ kind: 'turn', taskName: 'Talk' });
  });
});

describe('the pattern of an approval', () => {
  const labels = new Map<string, number>();
  beforeAll(async () => {
    for (const name of ['approved', 'declined']) {
      const { id } = await createLabel(suite.workspace.context(), memberLabels, { name });
      labels.set(name, id);
    }
  });

  it.each([
    ['approved', 'Good news: it is approved.'],
    ['declined', 'We are sorry: it is declined.'],
  ])('continues when a colleague gives the label %s', async (name, text) => {
    const staged = await begin(approval);
    const labelIds = [labels.get(name) ?? 0];

    await updateMember(suite.workspace.context(), member.memberId, { labelIds });

    expect(await staged.advance()).toMatchObject({ kind: 'concluded', status: 'completed' });
    expect((await said(staged)).at(-1)).toBe(text);
  });

  it('hands over after a week without a decision', async () => {
    expect(await pass(await begin(approval), 7)).toMatchObject({ kind: 'wait', taskName: 'Nobody decided' });
  });
});

describe('the pattern of a wait for data', () => {
  let typeId: number;
  beforeAll(async () => {
    const fields = [{ slug: 'result', name: 'Result', fieldType: 'text' }];
    const type = { name: 'Lab', slug: 'lab', isCollection: false, fields };
    typeId = (await createDataType(suite.workspace.context(), type)).id;
  });

  it('tells the value once it is there', async () => {
    const staged = await begin(waitForData);
    const { memberId } = member;

    await createDataRecord(suite.workspace.context(), typeId, { memberId, fieldValues: { result: 'fine' } });

    expect(await staged.advance()).toMatchObject({ kind: 'concluded', status: 'completed' });
    expect(await said(staged)).toEqual(['Your result: fine.']);
  });

  it('hands over if the value does not come in time', async () => {
    expect(await pass(await begin(waitForData), 3)).toMatchObject({ kind: 'wait', taskName: 'No result' });
  });
});
