import type { ProviderName } from '../providers/failures.js';
import type { ProviderCondition } from '../providers/provider-state.js';
import type { Logger } from './logger.js';

export type ObserveCondition = (provider: ProviderName, condition: ProviderCondition) => void;

/** Reports the condition of the providers' accounts to operators: each call to `observe`, each change to the log. */
export function reportConditions(logger: Logger, observe?: ObserveCondition): ObserveCondition {
  const last = new Map<ProviderName, ProviderCondition>();
  return (provider, condition) => {
    observe?.(provider, condition);
    const before = last.get(provider) ?? 'usable';
    last.set(provider, condition);
    if (condition === before) return;
    const line = { provider, condition };
    if (condition === 'unusable') logger.error(line, 'the account at a provider cannot be used');
    else logger.info(line, 'the condition of a provider has changed');
  };
}
