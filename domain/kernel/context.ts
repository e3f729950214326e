import type { Database } from '../../db/database.js';
import type { Clock } from '../lib/clock.js';
import type { Actor } from './actor.js';
import type { AgentBudgets } from './agent-budgets.js';
import type { ModelCatalogue } from './ai-models/model-catalogue.js';
import type { Outreach } from './outreach.js';

/** Runs and activities have no actor. */
export interface ServiceContext {
  db: Database;
  clock: Clock;
  /** Undefined: the defaults. */
  agentBudgets?: AgentBudgets;
}

/** Of commands and steps that may enter a task of a workflow. */
export interface OutreachContext extends ServiceContext {
  outreach: Outreach;
}

export interface ModelsContext extends OutreachContext {
  models: ModelCatalogue;
}

/** A caller in a workspace who may be no member of it. */
export interface VisitContext extends ServiceContext {
  workspaceId: number;
  workspaceUuid: string;
  /** Undefined: a visitor. */
  actor: Actor | undefined;
}

export interface CommandContext extends ModelsContext {
  actor: Actor;
}
