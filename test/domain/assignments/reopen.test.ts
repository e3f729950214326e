import { beforeAll, describe, expect, it } from 'vitest';
import { updateChat } from '../../../domain/conversations/chats/update-chat.js';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import { createLabel } from '../../../domain/kernel/labels.js';
import { memberLabels } from '../../../domain/people/member-labels/member-labels.js';
import { updateMember } from '../../../domain/people/members/update-member.js';
import { pokesOf } from '../../support/chats/pokes-of.js';
import { type StagedAssignment, stageAssignment } from '../../support/chats/staged-assignment.js';
import { hours } from '../../support/lib/moved-clock.js';
import { addMember } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';
import { reply, Turn } from '../agent/take-round.js';

const suite = useWorkspace();

/** The agent answers its turn with words alone. */
async function answerTurn(staged: StagedAssignment) {
  await new Turn(staged).take(reply('One moment.'));
  return staged.advance();
}

describe('an assignment that stood until data changed', () => {
  const trusted = '"trusted" in member.labels';
  let labelId: number;
  beforeAll(async () => {
    const label = { name: 'Trusted', slug: 'trusted' };
    ({ id: labelId } = await createLabel(suite.workspace.context(), memberLabels, label));
  });

  /** A member of its own, whose labels and records change. */
  async function stageWith(rootTask: RevisionTask) {
    const member = await addMember(suite.workspace);
    const staged = await stageAssignment(suite.workspace, rootTask, { member });
    const changeLabels = (labelIds: number[]) =>
      updateMember(suite.workspace.context(), member.memberId, { labelIds });
    return { ...staged, changeLabels, trust: () => changeLabels([labelId]) };
  }
  const choice: RevisionTask = { name: 'End', taskType: 'conclude', celCondition: trusted };
  const talk: RevisionTask = { name: 'Talk', taskType: 'conversation', children: [choice] };
  const pause = { name: 'Wait', taskType: 'wait', configuration: { for: 'PT1S' }, children: [choice] };
  const called = { needsResponse: true, needsResponseReason: 'no_choice_holds' };

  it('gives the agent the turn in which it could not choose, and needs no person any more', async () => {
    const staged = await stageWith(talk);
    await staged.advance();
    await answerTurn(staged);
    await staged.memberWrites('May I go on?');
    await staged.advance();
    await answerTurn(staged);
    expect(await staged.chat()).toMatchObject(called);
    const pokedBefore = await pokesOf(suite.workspace, staged);

    await staged.trust();

    expect(await pokesOf(suite.workspace, staged)).toBe(pokedBefore + 1);
    expect(await staged.advance()).toMatchObject({ kind: 'turn', taskName: 'Talk' });
    expect(await staged.chat()).toMatchObject({ needsResponse: false, standingReason: null });
    expect(await answerTurn(staged)).toMatchObject({ kind: 'wait', state: 'waits for the member' });
    await staged.trust();
    expect(await staged.advance()).toMatchObject({ kind: 'wait' });
  });

  it('goes on from a decision once a condition holds', async () => {
    const staged = await stageWith({ name: 'Which', taskType: 'decision', children: [choice] });
    await staged.advance();
    expect(await staged.chat()).toMatchObject(called);
    const pokedBefore = await pokesOf(suite.workspace, staged);

    await staged.trust();

    expect(await pokesOf(suite.workspace, staged)).toBe(pokedBefore + 1);
    expect(await staged.advance()).toMatchObject({ kind: 'concluded', status: 'completed' });
    expect(await staged.chat()).toMatchObject({ needsResponse: false, standingReason: null });
  });

  it('waits for the member who has not written yet', async () => {
    const staged = await stageWith(talk);
    await staged.advance();
    await answerTurn(staged);

    await staged.trust();

    expect(await staged.advance()).toMatchObject({ kind: 'wait', state: 'waits for the member' });
    expect(await staged.chat()).toMatchObject({ needsResponse: false, standingReason: null });
  });

  it('gives the agent a turn at once after a task that does not wait for the member', async () => {
    const staged = await stageWith(pause);
    staged.clock.advance(hours(1));
    await staged.advance();
    expect(await staged.chat()).toMatchObject(called);

    await staged.trust();

    expect(await staged.advance()).toMatchObject({ kind: 'turn' });
  });

  it('gives no turn while a person has the chat', async () => {
    const staged = await stageWith(talk);
    await staged.advance();
    await answerTurn(staged);
    await staged.memberWrites('May I go on?');
    await staged.advance();
    await answerTurn(staged);
    await updateChat(suite.workspace.context(), staged.chatId, { paused: true });

    await staged.trust();

    expect(await staged.advance()).toMatchObject({ kind: 'wait', state: 'paused, a person has it' });
  });

  it('alerts a colleague again when the way closes, and looks again after a minute for a change in between', async () => {
    const staged = await stageWith(talk);
    await staged.advance();
    const first = await answerTurn(staged);
    const inAMinute = staged.clock.now().getTime() + 60_000;
    expect(first).toMatchObject({ kind: 'wait', until: inAMinute, dueAt: null });
    expect(await staged.advance()).not.toHaveProperty('until');
    await staged.trust();
    await staged.advance();

    await staged.changeLabels([]);
    await staged.memberWrites('And now?');
    await staged.advance();
    await answerTurn(staged);

    expect(await staged.chat()).toMatchObject(called);
  });
});
