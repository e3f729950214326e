import type { WorkflowStartOptions } from '@temporalio/client';
import { defineSearchAttributeKey, type SearchAttributePair, type Workflow } from '@temporalio/common';
import {
  type RunEntry,
  type RunInputs,
  type RunType,
  taskQueues,
  workflowIdOf,
} from '../../workflows/contracts/runs.js';

/** How a run is started: the same options for every starter (relay, update with start, reconciler). */
type RunOptions = WorkflowStartOptions<Workflow> & { workflowIdConflictPolicy: 'USE_EXISTING' };

type Details = Pick<
  WorkflowStartOptions,
  'workflowIdReusePolicy' | 'typedSearchAttributes' | 'staticSummary' | 'staticDetails'
>;

const details: { [Type in RunType]: (input: RunInputs[Type]) => Details } = {
  runAssignment: (input) => ({
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    typedSearchAttributes: [
      ...searchAttributes({ AssignmentId: input.assignmentId }),
      ...attributesOfChat(input),
    ],
    staticSummary: `${input.definitionName}: assignment ${input.assignmentId} of member ${input.memberId}`,
    staticDetails: `Walks member ${input.memberId} through the workflow **${input.definitionName}** in chat ${input.chatId}.`,
  }),
  answerChat: (input) => ({
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    typedSearchAttributes: attributesOfChat(input),
    staticSummary: `Chat ${input.chatId} (${input.channel}) with member ${input.memberId}`,
    staticDetails: 'Answers a chat that has an assistant and no active assignment.',
  }),
  deliverMessages: (input) => ({
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    typedSearchAttributes: attributesOfChat(input),
    staticSummary: `Deliveries of chat ${input.chatId} (${input.channel})`,
    staticDetails: 'Sends the outbound messages of a chat in order and awaits their receipts.',
  }),
  sendLoginCode: (input) => ({
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    typedSearchAttributes: [],
    staticSummary: `Login code (${input.channel})`,
    staticDetails: 'Sends a one-time code to whoever asked for it, if an account has the address.',
  }),
  deliverWebhook: (input) => ({
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    typedSearchAttributes: searchAttributes({
      WorkspaceUuid: input.workspaceUuid,
      RuleId: input.ruleId,
      EventType: input.eventType,
    }),
    staticSummary: `${input.eventType}: delivery ${input.deliveryId} of rule ${input.ruleId}`,
    staticDetails: `Posts one \`${input.eventType}\` event to the receiver of event rule ${input.ruleId}, until it is taken or the attempts are used up.`,
  }),
  sendRuleNotice: (input) => ({
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    typedSearchAttributes: searchAttributes({ WorkspaceUuid: input.workspaceUuid, RuleId: input.ruleId }),
    staticSummary: `Event rule ${input.ruleId} was disabled (${input.reason}): notice ${input.noticeId}`,
    staticDetails: 'Tells one admin of the workspace, by mail, that an event rule was disabled.',
  }),
  wakeAssignments: (input) => ({
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    typedSearchAttributes: searchAttributes({ WorkspaceUuid: input.workspaceUuid }),
    staticSummary: `${input.definitionName}: wakes the assignments of workflow ${input.definitionId}`,
    staticDetails: `Pokes the runs that have met the hold of the workflow **${input.definitionName}**, after it was resumed.`,
  }),
};

/** The options with which a run of this type is started for its subject, which determines the workflow id. */
export function runOptions<Type extends RunType>({ runType, subject, input }: RunEntry<Type>): RunOptions {
  return {
    workflowId: workflowIdOf(runType, subject),
    workflowIdConflictPolicy: 'USE_EXISTING',
    taskQueue: runType === 'deliverWebhook' ? taskQueues.webhooks : taskQueues.runs,
    args: [input],
    // Runs without a workspace share one fairness key.
    priority: { fairnessKey: 'workspaceUuid' in input ? input.workspaceUuid : 'no-workspace' },
    ...details[runType](input),
  } as RunOptions;
}

/** The search attributes of runs, for operators: all Keyword, made by provisioning, set by the start of a run. */
export const searchAttributeNames = [
  'WorkspaceUuid',
  'AssignmentId',
  'ChatId',
  'MemberId',
  'CallId',
  'RuleId',
  'EventType',
] as const;

type SearchAttributeName = (typeof searchAttributeNames)[number];

const keys = Object.fromEntries(
  searchAttributeNames.map((name) => [name, defineSearchAttributeKey(name, 'KEYWORD')]),
) as Record<SearchAttributeName, ReturnType<typeof defineSearchAttributeKey<'KEYWORD'>>>;

function attributesOfChat(input: { workspaceUuid: string; chatId: number; memberId: number }) {
  const { workspaceUuid, chatId, memberId } = input;
  return searchAttributes({ WorkspaceUuid: workspaceUuid, ChatId: chatId, MemberId: memberId });
}

function searchAttributes(
  values: Partial<Record<SearchAttributeName, string | number>>,
): SearchAttributePair[] {
  return Object.entries(values).map(([name, value]) => ({
    key: keys[name as SearchAttributeName],
    value: String(value),
  }));
}
