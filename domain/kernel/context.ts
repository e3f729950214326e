import type { Database } from '../../db/database.js';
import type { Clock } from '../lib/clock.js';
import type { Actor } from './actor.js';
import type { AgentBudgets } from './agent-budgets.js';
import type { ModelCatalogue } from './ai-models/model-catalogue.js';

/** The context of a service-level command. Runs and activities have no actor. */
export interface ServiceContext {
  db: Database;
  clock: Clock;
  /** Undefined: the defaults. */
  agentBudgets?: AgentBudgets;
}

/** The context of a command that chooses models or computes their cost. */
export interface ModelsContext extends ServiceContext {
  models: ModelCatalogue;
}

/** The context of a command on behalf of a caller. */
export interface CommandContext extends ModelsContext {
  actor: Actor;
}
