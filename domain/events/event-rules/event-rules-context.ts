import type { CommandContext } from '../../kernel/context.js';
import type { Encryption } from '../../lib/encryption.js';

/** What a command needs that makes signing secrets. */
export interface EventRulesContext extends CommandContext {
  encryption: Encryption;
}
