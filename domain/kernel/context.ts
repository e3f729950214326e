import type { Database } from '../../db/database.js';
import type { Clock } from '../lib/clock.js';
import type { Actor } from './actor.js';
import type { AgentBudgets } from './agent-budgets.js';
import type { ModelCatalogue } from './ai-models/model-catalogue.js';

/** What a service-level command needs besides its input. Runs and activities act as no one in particular. */
export interface ServiceContext {
  db: Database;
  clock: Clock;
  /** Absent: the defaults. */
  agentBudgets?: AgentBudgets;
}

/** … and what it needs where models are chosen or paid for. */
export interface ModelsContext extends ServiceContext {
  models: ModelCatalogue;
}

/** What a command needs when a caller stands behind it. */
export interface CommandContext extends ModelsContext {
  actor: Actor;
}
