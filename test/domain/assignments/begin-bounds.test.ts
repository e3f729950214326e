import { beforeAll, beforeEach, expect, it } from 'vitest';
import { beginBounds } from '../../../domain/assignments/begin-bounds.js';
import { createAssignment } from '../../../domain/assignments/create-assignment.js';
import { createChat } from '../../../domain/conversations/chats/create-chat.js';
import { hours, MovedClock } from '../../support/lib/moved-clock.js';
import { conversationTasks, publishDefinition } from '../../support/workspace/definitions.js';
import { addMember, type TestMember } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const { workspace } = useWorkspace();
let workflowId: number;
let member: TestMember;
let clock: MovedClock;

beforeAll(async () => {
  workflowId = (await publishDefinition(workspace, conversationTasks())).workflowId;
});
beforeEach(async () => {
  member = await addMember(workspace, { role: workspace.roles.member });
  clock = new MovedClock();
});

const ofMember = () => ({ ...workspace.context(member), clock });
const begin = () => createAssignment(ofMember(), { workflowId });
const open = (count: number) => Promise.allSettled(Array.from({ length: count }, begin));

it('a member without a permission begins so many assignments of a workflow, also at once', async () => {
  for (let begun = 3; begun < beginBounds.openOfWorkflow; begun += 1) await begin();
  const begun = await open(6);
  const refused = begun.filter((one) => one.status === 'rejected');
  expect(refused).toHaveLength(3);
  for (const { reason } of refused) expect(reason).toMatchObject({ code: 'too_many_assignments' });
  await expect(createChat(ofMember(), { channel: 'web-chat', workflowId })).rejects.toMatchObject({
    code: 'too_many_assignments',
  });
  // A colleague with the permission goes on for the member.
  await createAssignment({ ...workspace.context(), clock }, { workflowId, memberId: member.memberId });
});

it('a member without a permission begins so many chats within a day, and is told when to go on', async () => {
  for (let begun = 0; begun < beginBounds.chatsADay; begun += 1) {
    await createChat(ofMember(), { channel: 'web-chat' });
  }
  clock.advance(hours(23));
  const refused = await createChat(ofMember(), { channel: 'web-chat' }).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'too_many_chats' });
  expect((refused as { retryAfterSeconds: number }).retryAfterSeconds).toBeGreaterThan(3_000);
  await expect(begin()).rejects.toMatchObject({ code: 'too_many_chats' });
  clock.advance(hours(2));
  await createChat(ofMember(), { channel: 'web-chat' });
});
