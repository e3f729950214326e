import type { RevisionTask } from '../../domain/definitions/revision-rules/types.js';
import { waitFor } from '../support/lib/wait-for.js';
import type { SmsAssignment, SmsWorkspace } from '../support/system/sms-workspace.js';

/** A conversation that says one sentence and waits. */
export const talk = (name: string, sentence: string, more: Partial<RevisionTask> = {}): RevisionTask => ({
  name,
  taskType: 'conversation',
  prompt: `Say "${sentence}"`,
  abilities: [{ abilityType: 'handoff' }],
  ...more,
});

/** A room with three doors, one of them locked until another was used. */
export const doors: RevisionTask = talk('Hall', 'Welcome to the hall.', {
  children: [
    talk('Open', 'You are in the open room.', { choicePrompt: 'The open room' }),
    talk('Locked', 'You are in the locked room.', {
      choicePrompt: 'The locked room',
      celGuard: '"Open" in tasks.visited',
    }),
    { name: 'Exit', taskType: 'conclude', choicePrompt: 'The exit', configuration: { outcome: 'left' } },
  ],
});

/** An assignment in the hall of `doors`, whose member was welcomed. */
export async function beginInHall(workspace: SmsWorkspace, definitionId?: number): Promise<SmsAssignment> {
  const assignment = await workspace.begin(definitionId ?? (await workspace.publish(doors)));
  await assignment.heard('Welcome to the hall.');
  return assignment;
}

/** A wait for the end of a label, and then the hall. */
export const untilOffTheWard: RevisionTask = {
  name: 'Ward',
  taskType: 'wait',
  configuration: { condition: '!("on-the-ward" in member.labels)' },
  autoNext: true,
  children: [talk('Hall', 'Welcome to the hall.')],
};

/** An assignment that waits there, and the label that its member has. */
export async function beginOnTheWard(workspace: SmsWorkspace) {
  const { body: label } = await workspace.asAdmin('POST', '/member-labels', { name: 'On the ward' });
  const texter = await workspace.addTexter();
  await workspace.asAdmin('PUT', `/members/${texter.memberId}`, { labelIds: [label.id] });
  const assignment = await workspace.begin(await workspace.publish(untilOffTheWard), texter);
  await waitFor('it waits', async () => (await assignment.currentTask()) === 'Ward');
  return { assignment, label };
}
