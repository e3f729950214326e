import type { Database } from '../../db/database.js';
import type { Clock } from '../lib/clock.js';
import type { Actor } from './actor.js';
import type { AgentBudgets } from './agent-budgets.js';
import type { ModelCatalogue } from './ai-models/model-catalogue.js';

/** Runs and activities have no actor. */
export interface ServiceContext {
  db: Database;
  clock: Clock;
  /** Undefined: the defaults. */
  agentBudgets?: AgentBudgets;
}

export interface ModelsContext extends ServiceContext {
  models: ModelCatalogue;
}

export interface CommandContext extends ModelsContext {
  actor: Actor;
}
