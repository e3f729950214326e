import { beforeAll, describe, expect, it } from 'vitest';
import { selectAssignmentTasks } from '../../../db/assignments/assignment-tasks.js';
import { findAssignmentOfChat } from '../../../db/assignments/assignments.js';
import { findChat } from '../../../db/conversations/chats.js';
import { loadRevisionTasks } from '../../../db/definitions/workflow-tasks.js';
import { beginAssignment, prepareAssignment } from '../../../domain/assignments/begin-assignment.js';
import { liveOutreach } from '../../../domain/calls/live-outreach.js';
import { createAssistant } from '../../../domain/conversations/assistants/create-assistant.js';
import { createChat } from '../../../domain/conversations/chats/create-chat.js';
import { getChat } from '../../../domain/conversations/chats/get-chat.js';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import { statementsOf } from '../../support/db/statements-of.js';
import {
  conversationTasks,
  type PublishedDefinition,
  publishDefinition,
  publishTwice,
} from '../../support/workspace/definitions.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const suite = useWorkspace({ storesEvents: true });
const inside = <T>(work: Parameters<typeof suite.workspace.database.inWorkspace<T>>[1]) =>
  suite.workspace.database.inWorkspace(suite.workspace.workspaceId, work);

beforeAll(async () => {
  await createAssistant(suite.workspace.context(), {
    name: 'Assistant',
    instructions: 'Be brief.',
    isDefault: true,
  });
});

const openChat = ({ workflowId }: PublishedDefinition) =>
  createChat(suite.workspace.context(), { channel: 'web-chat', workflowId });

/** All rows that are stored for a chat with an assignment. */
const stored = (chatId: number) =>
  inside(async (tx) => {
    const assignment = await findAssignmentOfChat(tx, chatId);
    if (assignment === undefined) throw new Error('the chat has no assignment');
    return {
      chat: await findChat(tx, chatId),
      assignment,
      tasks: await selectAssignmentTasks(tx, assignment.id),
      revisionTasks: await loadRevisionTasks(tx, assignment.revisionId),
      visits: await tx('assignment_timeline_entries')
        .where({ assignment_id: assignment.id, kind: 'entered' })
        .orderBy('id'),
    };
  });

describe('createChat with a definition that begins with a conversation', () => {
  it('stores the root task as entered, a turn owed, and task rows that are linked as in the revision', async () => {
    const { chat, assignment, tasks, revisionTasks, visits } = await stored(
      (await openChat(await publishDefinition(suite.workspace, conversationTasks()))).id,
    );
    const [root, ...others] = tasks;

    expect(chat).toMatchObject({ version: 1, handledVersion: 0, revision: 0, changedRevision: 0 });
    expect(chat?.turnOwedSince).toEqual(chat?.createdAt);
    expect(assignment).toMatchObject({ status: 'active', currentTaskId: root?.id, automaticSteps: 1 });
    expect(root).toMatchObject({ visitedAt: expect.any(Date), enteredAfterMessageId: 0, completedAt: null });
    for (const task of others) expect(task).toMatchObject({ visitedAt: null, enteredAfterMessageId: null });
    const taskOf = new Map(tasks.map(({ id, taskId }) => [id, taskId]));
    expect(tasks.map(({ taskId, parentId }) => [taskId, parentId && taskOf.get(parentId)])).toEqual(
      revisionTasks.map(({ id, parentId }) => [id, parentId]),
    );
    expect(visits).toMatchObject([
      { assignment_task_id: root?.id, from_assignment_task_id: null, caused_by: 'automatic' },
    ]);
  });

  it('writes an outbox entry that starts the run of the assignment', async () => {
    const definition = await publishDefinition(suite.workspace, conversationTasks());
    const { id: chatId } = await openChat(definition);
    const { assignment } = await stored(chatId);

    const entries = await inside((tx) => tx('outbox').where({ subject: assignment.uuid }));

    expect(entries).toMatchObject([
      {
        run_type: 'runAssignment',
        action: 'start',
        input: { assignmentId: assignment.id, chatId, definitionName: definition.name },
      },
    ]);
  });

  it('inserts each row in its final state and updates none', async () => {
    const definition = await publishDefinition(suite.workspace, conversationTasks());
    const asked = await statementsOf(() => openChat(definition));

    expect(asked.filter((text) => text.includes('insert into assignment_tasks'))).toHaveLength(1);
    expect(asked.filter((text) => text.startsWith('update'))).toEqual([]);
  });

  it('looks up definition, member, assistant, tasks and abilities, and reserves its ids, in a statement each', async () => {
    const definition = await publishDefinition(suite.workspace, conversationTasks());
    const asked = await statementsOf(() => openChat(definition));

    const selects = asked.filter((text) => text.startsWith('select') && !text.includes('changed_chats'));
    expect(selects).toHaveLength(6);
  });
});

describe('an assignment whose definition changes while it is prepared', () => {
  it.each(['another revision was active', 'none was active'])(
    'has the tasks of the revision active at its creation, where %s',
    async (before) => {
      const { memberId } = suite.workspace.member;
      const { workflowId, oldRevisionId, activeRevisionId } = await publishTwice(
        suite.workspace,
        conversationTasks(),
      );
      const revision =
        before === 'none was active' ? { workflowId: 0 } : { workflowId, workflowRevisionId: oldRevisionId };
      const placed = { channel: 'web-chat', chatType: 'workflow' } as const;
      const chat = { ...placed, memberId, revisionId: activeRevisionId };
      const definition = { id: workflowId, name: 'Twice', heldAt: null };

      const { opened, machine } = await inside(async (tx) => {
        const prepared = await prepareAssignment(tx, revision);
        return beginAssignment(
          tx,
          { prepared, chat, definition },
          { outreach: liveOutreach, now: new Date() },
        );
      });

      const { tasks, revisionTasks } = await stored(opened.chat.id);
      expect(revisionTasks[0]?.revisionId).toBe(activeRevisionId);
      expect(tasks.map(({ taskId }) => taskId)).toEqual(revisionTasks.map(({ id }) => id));
      expect([...machine.tree.byId.keys()]).toEqual(tasks.map(({ taskId }) => taskId));
    },
  );
});

const greeting = {
  name: 'Greet',
  taskType: 'message',
  configuration: { text: 'Hello' },
  autoNext: true,
} as const;
const goodbye = { name: 'Bye', taskType: 'conclude' } as const;

describe('createChat with a definition that begins with another task', () => {
  it.each<[string, RevisionTask, object]>([
    [
      'a message and what follows',
      { ...greeting, children: [conversationTasks()] },
      { current: 'Ask', version: 1, messageCount: 1, visited: ['Greet', 'Ask'], status: 'active' },
    ],
    [
      'a decision that goes to the end',
      { name: 'Which', taskType: 'decision', autoNext: true, children: [goodbye] },
      { current: 'Bye', version: 0, messageCount: 0, visited: ['Which', 'Bye'], status: 'completed' },
    ],
    [
      'a wait',
      { name: 'Later', taskType: 'wait', configuration: { for: 'P1D' }, autoNext: true, children: [goodbye] },
      { current: 'Later', version: 0, messageCount: 0, visited: ['Later'], status: 'active' },
    ],
  ])('advances through %s', async (_name, rootTask, expected) => {
    const { id } = await openChat(await publishDefinition(suite.workspace, rootTask));
    const { chat, assignment, tasks, revisionTasks, visits } = await stored(id);
    const names = new Map(revisionTasks.map((task) => [task.id, task.name]));
    const nameOf = (rowId: number | null) => names.get(tasks.find((row) => row.id === rowId)?.taskId ?? 0);

    expect({
      current: nameOf(assignment.currentTaskId),
      version: chat?.version,
      messageCount: chat?.messageCount,
      visited: visits.map((visit) => nameOf(visit.assignment_task_id)),
      status: assignment.status,
    }).toEqual(expected);
    expect(assignment.automaticSteps).toBe(visits.length);
  });

  it.each<[string, RevisionTask]>([
    ['a conversation', conversationTasks()],
    ['a message', { ...greeting, children: [goodbye] }],
  ])('returns the chat as getChat reads it, with %s', async (_name, rootTask) => {
    const told = await openChat(await publishDefinition(suite.workspace, rootTask));

    // Messages have raised the revisions since the creation.
    const {
      revision: _,
      changedRevision: __,
      timelineRevision: ___,
      callRevision: ____,
      changedIn: _____,
      changedGroup: ______,
      ...read
    } = await getChat(suite.workspace.context(), told.id);

    expect(told).toMatchObject(read);
  });
});
