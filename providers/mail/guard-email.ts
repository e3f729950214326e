import { ProviderState, type ProviderStateOptions } from '../provider-state.js';
import type { EmailRelay, MailServer } from './email-relay.js';

/** Servers whose condition a process remembers. */
const maxServers = 1_000;

/**
 * Puts a circuit breaker around the relay's account, and one around each account at another server: a wrong password of one
 * workspace is not the condition of the service's mail.
 */
export function guardEmail(relay: EmailRelay, options: Omit<ProviderStateOptions, 'provider'>): EmailRelay {
  const { observe, now } = options;
  const own = new ProviderState({ provider: 'mail', now, ...(observe ? { observe } : {}) });
  const accounts = new Map<string, ProviderState>();

  function accountAt({ host, port, login }: MailServer): ProviderState {
    const key = JSON.stringify([host, port, login]);
    const account = accounts.get(key) ?? new ProviderState({ provider: 'mail', now });
    // The map keeps the order of the latest uses.
    accounts.delete(key);
    accounts.set(key, account);
    for (const other of accounts.keys()) {
      if (accounts.size <= maxServers) break;
      accounts.delete(other);
    }
    return account;
  }

  return {
    send: (email, server, signal) =>
      (server === undefined ? own : accountAt(server)).call(() => relay.send(email, server, signal)),
  };
}
