import { describe, expect, it } from 'vitest';
import { patchInbox } from '../../../../db/channels/inboxes.js';
import { callAs, pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { conversationTasks, publishDefinition } from '../../../support/workspace/definitions.js';
import { addMember, createWorkspace, type TestWorkspace } from '../../../support/workspace/factories.js';
import { addInbox } from '../../../support/workspace/inboxes.js';

const { api, workspace } = useApi();
const emptyWorkspace = () => createWorkspace(workspace.database);
const create = (of: TestWorkspace, body: object) =>
  callAs(api, of, of.admin)('POST', '/chats', { channel: 'email', memberId: of.member.memberId, ...body });
const disable = (of: TestWorkspace, id: number) =>
  of.database.inWorkspace(of.workspaceId, (tx) =>
    patchInbox(tx, id, { enabled: false, updatedAt: new Date() }),
  );

describe('the inbox of a new email chat', () => {
  it('is the one that is named, with an agent or an operator', async () => {
    const own = await emptyWorkspace();
    const [{ id: inboxId }] = [await addInbox(own), await addInbox(own)];

    const withAgent = await create(own, { inboxId });
    const byOperator = await create(own, { inboxId, assistantEnabled: false, initialMessage: 'Hello' });

    expect(withAgent).toMatchObject({
      status: 201,
      body: { channel: 'email', inboxId, phoneNumberId: null },
    });
    expect(byOperator).toMatchObject({ status: 201, body: { inboxId, messageCount: 1 } });
    expect(byOperator.body).not.toHaveProperty('initialMessageError');
    const messages = await callAs(api, own, own.admin)('GET', `/chats/${byOperator.body.id}/messages`);
    expect(messages.body).toMatchObject([
      { email_id: expect.any(Number), inbox_id: inboxId, smsDeliveryStatus: 'sent' },
    ]);
  });

  it('is by default the only one of the workflow, else of the workspace', async () => {
    const own = await emptyWorkspace();
    const { workflowId } = await publishDefinition(own, conversationTasks());
    const first = await addInbox(own);
    expect((await create(own, {})).body.inboxId).toBe(first.id);

    const ofWorkflow = await addInbox(own, { workflowId });
    expect((await create(own, { workflowId })).body.inboxId).toBe(ofWorkflow.id);
    const several = await create(own, {});
    expect(several).toMatchObject({ status: 400, body: { code: 'missing_inbox' } });
    expect(pointersOf(several.body)).toEqual(['/inboxId']);

    await disable(own, first.id);
    expect((await create(own, {})).body.inboxId).toBe(ofWorkflow.id);
    await addInbox(own, { workflowId });
    expect((await create(own, { workflowId })).status).toBe(400);
  });

  it.each([
    ['of another workspace', async () => (await addInbox(await emptyWorkspace())).id],
    [
      'that is disabled',
      async () => {
        const { id } = await addInbox(workspace);
        await disable(workspace, id);
        return id;
      },
    ],
  ])('is not one %s', async (_, inboxOf) => {
    const answer = await create(workspace, { inboxId: await inboxOf() });
    expect(answer.status).toBe(400);
    expect(pointersOf(answer.body)).toEqual(['/inboxId']);
  });

  it('is for email only, and excludes a phone number', async () => {
    const { id: inboxId } = await addInbox(workspace);
    for (const body of [
      { channel: 'web-chat', inboxId },
      { inboxId, phoneNumberId: 1 },
    ]) {
      expect(pointersOf((await create(workspace, body)).body)).toEqual(['/inboxId']);
    }
  });

  it('needs a member with an address, unless an operator writes first and is told', async () => {
    const { id: inboxId } = await addInbox(workspace);
    const { memberId } = await addMember(workspace, { values: { email: null } });

    expect(pointersOf((await create(workspace, { inboxId, memberId })).body)).toEqual(['/memberId']);
    const told = await create(workspace, {
      inboxId,
      memberId,
      assistantEnabled: false,
      initialMessage: 'Hi',
    });
    expect(told).toMatchObject({ status: 201, body: { initialMessageError: 'missing_email' } });
  });
});

describe('send-assistant-message in an email chat', () => {
  const asAdmin = () => callAs(api, workspace, workspace.admin);

  it('queues an email, longer than an SMS may be', async () => {
    const { id: inboxId } = await addInbox(workspace);
    const { body: chat } = await create(workspace, { inboxId });
    const path = `/chats/${chat.id}/send-assistant-message`;
    const answer = await asAdmin()('POST', path, { message: 'word '.repeat(2_000) });
    expect(answer).toMatchObject({ status: 201 });
  });
});
