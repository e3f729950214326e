import type { WorkflowStartOptions } from '@temporalio/client';
import { defineSearchAttributeKey, type SearchAttributePair, type Workflow } from '@temporalio/common';
import {
  type InWorkspace,
  priorities,
  type RunDeclaration,
  type RunEntry,
  type RunInputs,
  type RunType,
  runs,
  standsAttribute,
  taskQueues,
  workflowIdOf,
} from '../../workflows/contracts/runs.js';

/** How a run is started: the same options for every starter (relay, update with start, reconciler). */
export type RunOptions = WorkflowStartOptions<Workflow> & { workflowIdConflictPolicy: 'USE_EXISTING' };

/** The options with which a run of this type is started for its subject, which determines the workflow id. */
export function runOptions<Type extends RunType>({ runType, subject, input }: RunEntry<Type>): RunOptions {
  const declaration = runs[runType] as RunDeclaration<RunInputs[Type]>;
  const { once, taskQueue = 'runs', priority } = declaration;
  const { summary, details } = declaration.inWords(input);
  // Runs without a workspace share one fairness key.
  const { workspaceUuid = 'no-workspace' } = input as Partial<InWorkspace>;
  return {
    workflowId: workflowIdOf(runType, subject),
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: once ? 'REJECT_DUPLICATE' : 'ALLOW_DUPLICATE',
    taskQueue: taskQueues[taskQueue],
    args: [input],
    priority: {
      priorityKey: priorities[priority],
      fairnessKey: workspaceUuid,
    },
    staticSummary: summary,
    staticDetails: details,
    typedSearchAttributes: searchAttributes({ ...(input as object), summary }),
  };
}

/** The search attributes of a run, by the names that they have in its input; `summary` is added. */
const attributes = {
  summary: 'Summary',
  workspaceUuid: 'WorkspaceUuid',
  assignmentId: 'AssignmentId',
  chatId: 'ChatId',
  memberId: 'MemberId',
  callId: 'CallId',
  ruleId: 'RuleId',
  eventType: 'EventType',
} as const;

/**
 * The search attributes of runs, for operators: all Keyword, made by provisioning, set by the start of a run, where they
 * cost nothing (docs/decisions/0099-webhook-runs-stay-and-views-leave-them-out.md). A run sets `Stands` itself.
 */
export const searchAttributeNames = [...Object.values(attributes), standsAttribute] as const;

function searchAttributes(values: Record<string, unknown>): SearchAttributePair[] {
  return Object.entries(attributes).flatMap(([name, attribute]) => {
    const value = values[name];
    if (value === undefined) return [];
    return [{ key: defineSearchAttributeKey(attribute, 'KEYWORD'), value: String(value) }];
  });
}
