import type { TimelineEntryDetails } from '../../../../db/assignments/timeline-entries.js';
import type { TimelineReader } from '../../../../domain/assignments/timeline/kinds.js';
import {
  placeId,
  type Timeline,
  type TimelineItem,
} from '../../../../domain/assignments/timeline/read-timeline.js';
import { reasonOf } from '../../conversations/chats/presenter.js';
import { presentMessage } from '../../conversations/messages/presenter.js';
import type { AssignmentTimelineResponse, TimelineEntryResponse } from './schemas.js';

export function presentTimeline({ items, hasMore, reader, now }: Timeline): AssignmentTimelineResponse {
  return { now: now && presentNow(now), items: items.map((item) => presentItem(item, reader)), hasMore };
}

function presentNow({ task, row, state, until, chat }: NonNullable<Timeline['now']>) {
  return {
    task: { assignmentTaskId: row.id, taskId: task.id, name: task.name },
    state,
    since: row.visitedAt,
    until,
    needsResponse: chat.needsResponse,
    needsResponseReason: reasonOf(chat),
  };
}

function presentItem(item: TimelineItem, reader: TimelineReader): TimelineEntryResponse {
  if ('entry' in item) return presentTimelineEntry(item.entry, reader);
  const { message } = item;
  return {
    id: placeId(item),
    at: message.createdAt,
    kind: 'message',
    message: presentMessage(message),
  };
}

/** Expressions of definitions are for those who may read workflows (docs/decisions/0010-api-keys-belong-to-accounts.md). */
export function presentTimelineEntry(
  entry: TimelineEntryDetails,
  reader: TimelineReader,
): TimelineEntryResponse {
  const { kind, code, ruleTaskId, ruleTaskName } = entry;
  return {
    id: placeId({ revision: entry.revision, entryId: entry.id }),
    at: entry.createdAt,
    kind: kind as TimelineEntryResponse['kind'],
    task: taskOf(entry.assignmentTaskId, entry.taskId, entry.taskName),
    fromTask: taskOf(entry.fromAssignmentTaskId, entry.fromTaskId, entry.fromTaskName),
    by: entry.causedBy,
    actorMemberId: entry.actorMemberId,
    messageId: entry.messageUuid,
    tool: kind === 'tool' ? code : null,
    status: kind === 'delivery' || kind === 'concluded' ? code : null,
    reason: entry.reason,
    rule: kind === 'refused' || kind === 'not_begun' ? (code as TimelineEntryResponse['rule']) : null,
    ruleTask: ruleTaskId && ruleTaskName ? { taskId: ruleTaskId, name: ruleTaskName } : null,
    expression: reader === 'author' ? expressionOf(entry) : null,
    until: entry.until,
    times: entry.times > 1 ? entry.times : null,
    outcome: entry.outcome,
    outcomeReason: entry.outcomeReason,
  };
}

function taskOf(assignmentTaskId: number | null, taskId: number | null, name: string | null) {
  if (assignmentTaskId === null || taskId === null || name === null) return null;
  return { assignmentTaskId, taskId, name };
}

function expressionOf({ code, ruleTaskGuard, ruleTaskCondition }: TimelineEntryDetails): string | null {
  if (code === 'cel_guard') return ruleTaskGuard;
  return code === 'cel_condition' ? ruleTaskCondition : null;
}
