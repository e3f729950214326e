import { type AssignmentTaskRow, selectAssignmentTasks } from '../../db/assignments/assignment-tasks.js';
import { type AssignmentRow, findAssignment } from '../../db/assignments/assignments.js';
import { selectVisitsAfter, type TimelineEntryRow } from '../../db/assignments/timeline-entries.js';
import { type ChatRow, findChat } from '../../db/conversations/chats.js';
import { type FollowUpRow, selectPendingFollowUps } from '../../db/conversations/follow-ups.js';
import { type MessageRow, selectMessagesAfter } from '../../db/conversations/messages.js';
import type { WorkflowTaskRow } from '../../db/definitions/workflow-tasks.js';
import type { Tx } from '../../db/tx.js';
import { messageText } from '../channels/message-text.js';
import { type NeedsResponseReason, needsResponseMeanings } from '../kernel/alert-colleague.js';
import type { Happening, Speaker } from './entries.js';

/** What the rows of a simulation say at one moment. */
export interface Snapshot {
  assignment: AssignmentRow;
  chat: ChatRow;
  tasks: AssignmentTaskRow[];
  followUps: FollowUpRow[];
}

type Visit = TimelineEntryRow;

/** Something that happened, with the `workflow_tasks` id that it concerns; null: the current task. */
export type Observed = Happening & { taskId: number | null };

/** The persons whose messages are told apart. */
export interface SpeakingIndicator {
  memberId: number;
  operatorId: number;
}

/** Reads what happened in an assignment and its chat since the last time. */
export class Observer {
  readonly #ids: { assignmentId: number; chatId: number };
  readonly #speakers: SpeakingIndicator;
  readonly #typeOf: ReadonlyMap<number, WorkflowTaskRow['taskType']>;
  #lastVisit = 0;
  #lastMessage = 0;
  #before: Snapshot | undefined;

  constructor(
    ids: { assignmentId: number; chatId: number },
    speakers: SpeakingIndicator,
    tasks: readonly WorkflowTaskRow[],
  ) {
    this.#ids = ids;
    this.#speakers = speakers;
    this.#typeOf = new Map(tasks.map(({ id, taskType }) => [id, taskType]));
  }

  /** @returns what is new, in order, and the present state */
  async read(tx: Tx, now: Date): Promise<{ news: Observed[]; state: Snapshot }> {
    const { assignmentId, chatId } = this.#ids;
    const [assignment, chat, tasks, followUps, visits, messages] = await Promise.all([
      findAssignment(tx, assignmentId),
      findChat(tx, chatId),
      selectAssignmentTasks(tx, assignmentId),
      selectPendingFollowUps(tx, chatId),
      selectVisitsAfter(tx, assignmentId, this.#lastVisit),
      selectMessagesAfter(tx, chatId, this.#lastMessage),
    ]);
    if (assignment === undefined || chat === undefined) throw new Error('a simulated assignment is gone');
    const state = { assignment, chat, tasks, followUps };
    const before = this.#before;
    this.#before = state;
    this.#lastVisit = visits.at(-1)?.id ?? this.#lastVisit;
    this.#lastMessage = messages.at(-1)?.id ?? this.#lastMessage;
    const news = [
      ...followUpsOf(before, state, now),
      ...this.#tasksOf(before, state, visits, messages, now),
      ...stateOf(before, state),
    ];
    return { news, state };
  }

  /** Entries into tasks with their texts, in order, after the messages of people and before those of the agent. */
  #tasksOf(
    before: Snapshot | undefined,
    state: Snapshot,
    visits: readonly Visit[],
    messages: readonly MessageRow[],
    now: Date,
  ): Observed[] {
    const said = messages.flatMap((message) => this.#messageOf(message));
    const rowById = new Map(state.tasks.map((row) => [row.id, row]));
    const entered = visits.map((visit) => ({ visit, row: rowById.get(visit.assignmentTaskId ?? 0) }));
    const isOfTask = (one: Observed) =>
      one.kind === 'message' && (one.from === 'task' || one.from === 'note');
    const texts = said.filter((one) => isOfTask(one) && one.taskId !== null);
    const others = said.filter((one) => !texts.includes(one));
    const walked = entered.flatMap(({ visit, row }, index): Observed[] => {
      if (row === undefined) return [];
      const { taskId } = row;
      const laterVisits = entered.slice(index + 1).filter((one) => one.row?.taskId === taskId).length;
      const own = texts.filter((one) => one.taskId === taskId);
      // A task that is entered several times at once says its texts each time.
      const these = own.slice(0, Math.ceil(own.length / (laterVisits + 1)));
      for (const text of these) texts.splice(texts.indexOf(text), 1);
      const isLast = laterVisits === 0;
      return [
        { kind: 'entered', by: visit.causedBy ?? 'automatic', taskId },
        ...these,
        ...(isLast ? endingOf(row, undefined) : [{ kind: 'completed', taskId } as const]),
      ];
    });
    const visited = new Set(entered.map(({ row }) => row?.id));
    const rowBefore = new Map(before?.tasks.map((row) => [row.id, row]));
    // The walk went on from a task that was entered again meanwhile.
    const [first] = visits;
    const left = first?.causedBy === 'automatic' ? rowBefore.get(first.fromAssignmentTaskId ?? 0) : undefined;
    const again =
      first !== undefined && left !== undefined && left.completedAt === null && visited.has(left.id)
        ? endingOf({ ...left, completedAt: now }, left)
        : [];
    const ended = state.tasks
      .filter(({ id }) => !visited.has(id) && before !== undefined)
      .flatMap((row) => endingOf(row, rowBefore.get(row.id)));
    const people = others.filter((one) => one.kind === 'message' && one.from !== 'agent');
    return [
      ...people,
      ...again,
      ...ended,
      ...walked,
      ...texts,
      ...others.filter((one) => !people.includes(one)),
    ];
  }

  #messageOf(message: MessageRow): Observed[] {
    const { content, role, toolCalls, subConversationOf, suggestions, taskId } = message;
    if (role === 'tool' || toolCalls.length > 0 || content === null || subConversationOf !== null) return [];
    const said = { kind: 'message', from: this.#speakerOf(message), text: messageText(content) } as const;
    return [{ ...said, ...(suggestions.length === 0 ? {} : { suggestions }), taskId }];
  }

  #speakerOf({ role, memberId, turnVersion, taskId, smsKeyword }: MessageRow): Speaker {
    if (role === 'system') return 'note';
    if (memberId === this.#speakers.operatorId) return 'operator';
    if (role === 'user') return 'member';
    if (smsKeyword !== null) return 'service';
    const type = taskId === null ? undefined : this.#typeOf.get(taskId);
    return turnVersion === null && (type === 'message' || type === 'handoff') ? 'task' : 'agent';
  }
}

/** The end of a task, or the timer that it set. */
function endingOf(row: AssignmentTaskRow, before: AssignmentTaskRow | undefined): Observed[] {
  const { taskId } = row;
  const wasDue = before?.dueAt ?? null;
  if (row.completedAt !== null && (before?.completedAt ?? null) === null) {
    const came = wasDue !== null && wasDue <= row.completedAt;
    return [...(came ? [{ kind: 'timer_came', taskId } as const] : []), { kind: 'completed', taskId }];
  }
  if (row.dueAt !== null && row.dueAt.getTime() !== wasDue?.getTime()) {
    return [{ kind: 'timer_set', until: row.dueAt, taskId }];
  }
  return [];
}

function followUpsOf(before: Snapshot | undefined, state: Snapshot, now: Date): Observed[] {
  const was = before?.followUps ?? [];
  const isIn = (list: readonly FollowUpRow[], { id }: FollowUpRow) => list.some((one) => one.id === id);
  const gone = was.filter((one) => !isIn(state.followUps, one));
  const added = state.followUps.filter((one) => !isIn(was, one));
  return [
    ...gone.map(
      ({ instructions: text, dueAt }): Observed => ({
        kind: dueAt <= now ? 'follow_up_came' : 'follow_up_cancelled',
        text,
        taskId: null,
      }),
    ),
    ...added.map(
      ({ instructions: text, dueAt: until }): Observed => ({
        kind: 'follow_up_set',
        until,
        text,
        taskId: null,
      }),
    ),
  ];
}

function stateOf(before: Snapshot | undefined, { assignment, chat }: Snapshot): Observed[] {
  const news: Happening[] = [];
  const was = before?.chat;
  if (chat.paused && !was?.paused) news.push({ kind: 'paused', reason: chat.pausedReason });
  if (!chat.paused && was?.paused) news.push({ kind: 'resumed' });
  const reason = chat.needsResponseReason;
  if (chat.needsResponse && (!was?.needsResponse || was.needsResponseReason !== reason)) {
    const text = needsResponseMeanings[reason as NeedsResponseReason] ?? '';
    news.push({ kind: 'needs_response', reason: reason ?? '', text });
  }
  if (!chat.needsResponse && was?.needsResponse) news.push({ kind: 'answered' });
  const { status, outcome, outcomeReason } = assignment;
  if (status !== 'active' && (before?.assignment.status ?? 'active') === 'active') {
    news.push({ kind: 'concluded', status, outcome, reason: outcomeReason });
  }
  return news.map((one) => ({ ...one, taskId: null }));
}
