import { afterCommit } from '../../db/after-commit.js';
import { type ChatRow, patchChat } from '../../db/conversations/chats.js';
import type { Tx } from '../../db/tx.js';

/** Why a chat needs a person. The text of each code explains it to the people who handle chats. */
export const needsResponseMeanings = {
  agent_silent: 'the member wrote, and the agent is paused',
  no_agent: 'the member wrote, and the chat has no agent',
  taken_over: 'a colleague has claimed the chat from the agent, and has not answered',
  handoff: 'the agent or a task handed the chat over',
  call_ended:
    'a call of the chat has ended or was not answered, and its assignment is not concluded: the chat has no other channel, or the workflow leaves what follows to a person',
  handoff_promised:
    'the agent has said on the phone that it connects the member with a person, and has not done so',
  approval: 'a tool call of the agent waits for the approval of a person',
  approval_expired:
    'within three days, a tool call of the agent was not decided about, or was approved and could not be run',
  approved_call_failed: 'a tool call that a colleague had approved has failed: its result says why',
  no_model: 'no model is configured',
  model_unavailable: 'the provider of the model has refused every request for too long',
  turn_failed: 'the model failed, or the turn of the agent came to no end',
  no_reply: 'the model had nothing to say',
  sender_without_number:
    'an SMS came from a short code or a name, to which no answer can be sent: the member has it as its name',
  late_message: 'a message of the member reached the service hours late, and the agent does not answer it',
  too_many_emails:
    'the member gets more emails within an hour than an agent may send, as when two programs answer each other',
  automatic_email:
    'an email that a mailing list or a program may have sent came into the chat, and the agent does not answer it',
  email_complaint:
    'a report says that the member calls an email spam, and names only the id of the email, which others may have seen',
  email_returned:
    'an email came back, and no program can read whether it was delivered or is late: its words are in the mail with this chat and the reason `returned` in `GET W/inbound-emails`',
  attachments_not_kept:
    'there was no room for attachments of an email: the `failureReason` of the files says whose; the email has them for 30 days, see `GET W/inbound-emails`',
  superseded: 'a newer SMS chat on the same phone number takes the replies of the member',
  delivery_failed: 'a message could not be delivered',
  call_not_placed:
    'a task could not call the member: it or the workspace has no number for it, or that number has no calls',
  opted_out:
    'the member has said in its own words that it wants no more messages, or no calls, and is opted out: what it says besides is for a person',
  opt_out_unclear:
    'the member may have said that it wants no more messages or calls: nothing that agents and tasks begin is sent to it until a person resumes the chat',
  caller_unproved:
    'a caller has tried to prove who they are as often as a call or a day allows, and was told nothing',
  scheduled_message_failed: 'a message that a colleague wrote to be sent later could not be sent at its time',
  delivery_stuck:
    'sending a message, or finding out what became of one, fails each time it is tried; the messages of the chat wait and are tried again by themselves',
  member_unreachable:
    'the agent has something to say, and the member has opted out, switched messages off, or had as many as it may on a day',
  member_disabled:
    'the agent owes an answer, and the member or its account is disabled; it goes on when that ends',
  workflow_held:
    'the agent owes an answer, and the workflow of the assignment is held; it goes on when the workflow is resumed',
  workspace_held: 'the agent owes an answer, and the workspace is held; it goes on when the hold ends',
  turn_budget: 'the agent has had as many turns as a chat may have in an hour',
  unattended_turns: 'the agent has had as many turns in a row as it may have without a message of a person',
  follow_up_budget: 'as many follow-ups as may be came due in a row without a message of a person',
  token_budget: 'the chat or the workspace has used up its tokens or credits for the day',
  credit_budget:
    'the workspace has used up its credits for the month; the agent goes on when the budget is raised, or next month',
  no_way_on: 'nothing leads on from the current task',
  no_choice_holds: 'the tasks that could come next have conditions, and none of them holds',
  required_unreachable: 'required tasks remain, and the conditions of none of them hold',
  nothing_to_collect: 'the data type that a task collects was deleted',
  unreadable_time: 'the time that a task waits for cannot be read',
  time_out_of_range: 'the time that a task waits for is too far away',
  expression_failed: 'an expression of a task cannot be evaluated',
  run_terminated: 'the run of the assignment was terminated',
  step_failed: 'a step of the workflow fails each time it is tried',
} as const;

/** Why nobody but a person answers what the member has written. */
export function whyUnanswered({ assistantEnabled }: Pick<ChatRow, 'assistantEnabled'>): NeedsResponseReason {
  return assistantEnabled ? 'agent_silent' : 'no_agent';
}

/** Why a chat is paused in which the member may have opted out, and why a colleague is alerted to it. */
export const optOutUnclear = 'opt_out_unclear' satisfies NeedsResponseReason;

export type NeedsResponseReason = keyof typeof needsResponseMeanings;

export const needsResponseReasons = Object.keys(needsResponseMeanings) as NeedsResponseReason[];

/** Whether a hold has alerted a colleague to a chat, which the agent answers once it ends. */
export function isAlertedByHold({
  needsResponseReason: reason,
}: Pick<ChatRow, 'needsResponseReason'>): boolean {
  return reason === 'workflow_held' || reason === 'workspace_held';
}

/** The values for a chat that a person has answered, or in which nothing is left for one. */
export const noPersonNeeded = { needsResponse: false, needsResponseReason: null } as const;

/** The values for a chat that waits, and has alerted a colleague for this before. `alertColleague` is for what is new. */
export function alertedFor(reason: string): Pick<ChatRow, 'needsResponse' | 'needsResponseReason'> {
  return { needsResponse: true, needsResponseReason: reason };
}

export interface Alert {
  workspaceId: number;
  chatId: number;
  reason: NeedsResponseReason;
}

type Observer = (called: Alert) => void;
const observers = new Set<Observer>();

/** For the metrics and logs of the operator. @returns a function that unsubscribes */
export function observeAlerts(observer: Observer): () => void {
  observers.add(observer);
  return () => observers.delete(observer);
}

/** The values for a chat that is in the queue again, because something has happened in it. */
export const notSnoozed = { snoozedAt: null, snoozedUntil: null } as const;

/**
 * Sets `needsResponse` with its reason, together with the given changes. A later reason replaces an earlier one, and ends
 * a snooze. Observers are told once the transaction has committed.
 */
export async function alertColleague(
  tx: Tx,
  chat: Pick<ChatRow, 'id'>,
  reason: NeedsResponseReason,
  changes: Partial<ChatRow> = {},
): Promise<ChatRow> {
  const called = await patchChat(tx, chat.id, {
    ...notSnoozed,
    ...changes,
    ...alertedFor(reason),
  });
  const { workspaceId } = tx;
  afterCommit(tx, () => {
    for (const observer of observers) observer({ workspaceId, chatId: chat.id, reason });
  });
  return called;
}
