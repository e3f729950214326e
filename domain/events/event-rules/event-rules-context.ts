import type { CommandContext } from '../../kernel/context.js';
import type { Encryption } from '../../lib/encryption.js';

/** The context of commands that store signing secrets. */
export interface EventRulesContext extends CommandContext {
  encryption: Encryption;
}
