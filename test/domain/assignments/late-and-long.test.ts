import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { selectTask } from '../../../domain/assignments/select-task.js';
import { createDataRecord } from '../../../domain/records/data-records/create-data-record.js';
import { createDataType } from '../../../domain/records/data-types/create-data-type.js';
import { stageAssignment } from '../../support/chats/staged-assignment.js';
import { conversationTasks } from '../../support/workspace/definitions.js';
import { randomTag } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const suite = useWorkspace();

describe('selectTask', () => {
  it('enters nothing when its caller no longer waits for the answer', async () => {
    const staged = await stageAssignment(suite.workspace, conversationTasks());
    const before = await staged.assignment();

    const { answer } = await selectTask(staged.context, {
      workspaceId: staged.workspaceId,
      assignmentId: staged.assignmentId,
      assignmentTaskId: before.currentTaskId ?? 0,
      requestUuid: randomUUID(),
      actorMemberId: suite.workspace.member.memberId,
      byOperator: false,
      notAfter: staged.clock.now().getTime() - 1,
    });

    expect(answer).toEqual({ kind: 'expired' });
    expect(await staged.assignment()).toEqual(before);
  });
});

describe('a message task by SMS', () => {
  it('sends a long text in several messages, each within the size limit of the carrier', async () => {
    const text = 'A sentence of some length. '.repeat(100).trim();
    const staged = await stageAssignment(
      suite.workspace,
      { name: 'Long', taskType: 'message', configuration: { text } },
      { channel: 'phone-sms' },
    );

    const sent = (await staged.messages()).map(({ content }) => String(content));

    expect(sent.length).toBeGreaterThan(1);
    expect(sent.every((part) => part.length <= 1_600)).toBe(true);
    expect(sent.join(' ')).toBe(text);
  });
});

describe('a collect task', () => {
  it('wakes its run when another member writes the record of the member', async () => {
    const slug = `type-${randomTag()}`;
    const admin = suite.workspace.context();
    const type = await createDataType(admin, {
      name: 'Type',
      slug,
      isCollection: false,
      fields: [{ slug: 'color', name: 'Colour', fieldType: 'text', required: true }],
    });
    const collect = {
      name: 'Collect',
      taskType: 'collect',
      autoNext: true,
      configuration: { dataTypeSlug: slug, fieldSlugs: ['color'] },
    };
    const staged = await stageAssignment(suite.workspace, collect);
    const { uuid } = await staged.assignment();
    const { database, workspaceId } = suite.workspace;
    const pokes = () =>
      database.inWorkspace(workspaceId, async (tx) => {
        const found = await tx('outbox').where({ subject: uuid, action: 'poke' });
        return found.length;
      });
    const before = await pokes();

    const memberId = suite.workspace.member.memberId;
    await createDataRecord(admin, type.id, { memberId, fieldValues: { color: 'green' } });

    expect(await pokes()).toBe(before + 1);
    expect(await staged.advance()).toMatchObject({ kind: 'concluded', status: 'completed' });
  });
});
