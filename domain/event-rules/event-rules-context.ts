import type { CommandContext } from '../context.js';
import type { Encryption } from '../encryption.js';

/** What a command needs that makes signing secrets. */
export interface EventRulesContext extends CommandContext {
  encryption: Encryption;
}
