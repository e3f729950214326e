import {
  countActiveAssignments,
  countCallsAndFailures,
  countEventTroubles,
  countHeldWorkflows,
  countQueueForMember,
  type WaitingOverview,
} from '../../../db/conversations/overview.js';
import { findOpenHold, type WorkspaceHoldRow } from '../../../db/definitions/workspace-holds.js';
import { type CreditBudgetView, viewCreditBudget } from '../../agent/usage/credit-budget.js';
import type { CommandContext } from '../../kernel/context.js';

/** What may need a person in a workspace. Absent: what the caller may not list. */
export interface Overview {
  waitingChats?: WaitingOverview;
  runningPhoneCalls?: number;
  failedMessages?: number;
  assignments?: { active: number; standing: number };
  failingEventRules?: number;
  waitingDeliveries?: number;
  heldWorkflows?: number;
  creditBudget?: CreditBudgetView;
  hold: WorkspaceHoldRow | undefined;
}

const dayMs = 86_400_000;

export async function getOverview({ db, actor, clock }: CommandContext): Promise<Overview> {
  const now = clock.now();
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const readsChats = actor.can('chats:read');
    const [waitingChats, messages, assignments, events, workflows, creditBudget, hold] = await Promise.all([
      readsChats ? countQueueForMember(tx, actor.memberId, now) : undefined,
      readsChats ? countCallsAndFailures(tx, new Date(now.getTime() - dayMs)) : undefined,
      actor.can('assignments:read') ? countActiveAssignments(tx) : undefined,
      actor.can('event_rules:read') ? countEventTroubles(tx) : undefined,
      actor.hasScope('workflows:read') ? countHeldWorkflows(tx) : undefined,
      actor.can('workspace:read') ? viewCreditBudget(tx, now) : undefined,
      findOpenHold(tx),
    ]);
    return {
      ...messages,
      ...events,
      ...workflows,
      ...(waitingChats && { waitingChats }),
      ...(assignments && { assignments }),
      ...(creditBudget && { creditBudget }),
      hold,
    };
  });
}
