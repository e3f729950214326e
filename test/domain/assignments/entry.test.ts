import { describe, expect, it } from 'vitest';
import { selectAssignmentTasks } from '../../../db/assignments/assignment-tasks.js';
import type { Entry } from '../../../domain/assignments/machine/effect.js';
import { entryOf } from '../../../domain/assignments/machine/entry.js';
import { lockEnteringMachine } from '../../../domain/assignments/machine/machine.js';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import type { Outreach } from '../../../domain/kernel/outreach.js';
import { stageAssignment } from '../../support/chats/staged-assignment.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const suite = useWorkspace();

/** Nothing may be reached by reading what an entry brings about. */
const outreach = new Proxy({} as Outreach, {
  get: (_, name) => {
    if (name === 'delivers') return (channel: string) => channel === 'phone-sms';
    // Whether it is the member is read, and reaches nobody.
    if (name === 'mayReachAnother') return async () => false;
    throw new Error(`an entry reaches ${String(name)}`);
  },
});

/** What entering the second task brings about, in a chat on the web. Nothing of the assignment is changed by that. */
async function entryInto(task: Omit<RevisionTask, 'name'>): Promise<Entry & { now: Date }> {
  const { workspace } = suite;
  const root = { name: 'Talk', taskType: 'conversation', children: [{ name: 'Entered', ...task }] };
  const staged = await stageAssignment(workspace, root, { unchecked: true });
  const { assignmentId, clock } = staged;
  const now = clock.now();
  return workspace.database.inWorkspace(workspace.workspaceId, async (tx) => {
    const machine = await lockEnteringMachine(tx, assignmentId, { outreach, now, ofRun: true });
    const entered = [...(machine?.tree.byId.values() ?? [])].find(({ name }) => name === 'Entered');
    if (machine === undefined || entered === undefined) throw new Error('there is no such task');
    const [chat, messages, tasks] = [
      machine.chat,
      await staged.messages(),
      await selectAssignmentTasks(tx, assignmentId),
    ];
    const entry = await entryOf(machine, entered);
    expect(machine.chat).toBe(chat);
    expect(await staged.messages()).toEqual(messages);
    expect(await selectAssignmentTasks(tx, assignmentId)).toEqual(tasks);
    return { ...entry, now };
  });
}

describe('entering a task only returns what has to happen', () => {
  it('a conversation: a turn of the agent', async () => {
    expect(await entryInto({ taskType: 'conversation' })).toMatchObject({
      effects: [{ kind: 'turn' }],
      isComplete: false,
    });
  });

  it('a message: its text, and it is complete where nothing is delivered', async () => {
    const configuration = { text: 'Bring your card.' };
    expect(await entryInto({ taskType: 'message', configuration })).toMatchObject({
      effects: [{ kind: 'say', parts: ['Bring your card.'] }],
      isComplete: true,
    });
  });

  it('a handoff: its text, the reason for the person, and an alert that pauses the agent', async () => {
    const configuration = { message: 'A colleague will write.', reason: 'asked for a person' };
    const { effects, isComplete, now } = await entryInto({ taskType: 'handoff', configuration });

    expect(isComplete).toBe(false);
    expect(effects).toEqual([
      { kind: 'say', parts: ['A colleague will write.'], callId: undefined },
      { kind: 'note', content: 'Handed over: asked for a person' },
      {
        kind: 'alert',
        reason: 'handoff',
        changes: { paused: true, pausedReason: 'handoff', pausedAt: now, pausedByMemberId: null },
      },
    ]);
  });

  it('a wait: its time, and it is complete if that is over', async () => {
    const later = await entryInto({ taskType: 'wait', configuration: { for: 'PT1H' } });
    expect(later).toMatchObject({
      effects: [{ kind: 'wait', until: new Date(later.now.getTime() + 3_600_000) }],
      isComplete: false,
    });

    const over = await entryInto({ taskType: 'wait', configuration: { until: '2020-01-01' } });
    expect(over).toMatchObject({ effects: [{ kind: 'wait', endedBy: 'time' }], isComplete: true });
  });

  it('a wait for a condition that holds is complete, and one for a time that cannot be read alerts', async () => {
    const holds = { condition: 'member.name != ""', atMost: 'P1D' };
    expect(await entryInto({ taskType: 'wait', configuration: holds })).toMatchObject({
      effects: [{ kind: 'wait', endedBy: 'condition' }],
      isComplete: true,
    });

    const unreadable = { until: '{{ member.name }}' };
    expect(await entryInto({ taskType: 'wait', configuration: unreadable })).toMatchObject({
      effects: [{ kind: 'alert', reason: 'unreadable_time', changes: { standingReason: 'unreadable_time' } }],
      isComplete: false,
    });
  });

  it('a call: a call from the number of the task', async () => {
    const configuration = { phoneNumber: '+15550100100' };
    expect(await entryInto({ taskType: 'call', configuration })).toMatchObject({
      effects: [{ kind: 'call', from: '+15550100100' }],
      isComplete: false,
    });
  });

  it('a conclude: the end with its outcome and the rendered reason', async () => {
    const configuration = { outcome: 'done', outcomeReason: 'Said {{ 1 + 1 }} times' };
    expect(await entryInto({ taskType: 'conclude', configuration })).toMatchObject({
      effects: [{ kind: 'conclude', outcome: 'done', outcomeReason: 'Said 2 times' }],
      isComplete: false,
    });
  });
});
