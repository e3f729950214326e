import { ProviderState, type ProviderStateOptions } from '../provider-state.js';
import type { EmailRelay, MailServer, OutgoingEmail, TakenEmail } from './email-relay.js';
import { MailBusy } from './mail.js';

/**
 * Emails that one process sends at once: to the service's relay, to one server of others, and to all servers of others. A
 * worker has 30 places for deliveries, so that servers that hang leave room for SMS and for one another.
 */
export const emailsAtOnce = { relay: 12, oneServer: 3, otherServers: 9 };

/** How soon an email that found no place is tried again. */
const noPlaceMs = 3_000;
/** Servers whose condition a process remembers. */
const mostServers = 1_000;

interface Place {
  state: ProviderState;
  busy: number;
}

/**
 * Puts a circuit breaker around the relay's account, and one around that of each other server: a wrong password of one
 * workspace is not the condition of the service's mail. Limits how many emails are sent at once.
 */
export function guardEmail(relay: EmailRelay, options: Omit<ProviderStateOptions, 'provider'>): EmailRelay {
  const { observe, now } = options;
  const placeOf = (observed: boolean): Place => ({
    state: new ProviderState({ provider: 'mail', now, ...(observed && observe ? { observe } : {}) }),
    busy: 0,
  });
  const own = placeOf(true);
  const servers = new Map<string, Place>();
  let busyElsewhere = 0;

  function serverAt({ host, port, login }: MailServer): Place {
    const key = JSON.stringify([host, port, login]);
    const place = servers.get(key) ?? placeOf(false);
    // The map keeps the order of the latest uses.
    servers.delete(key);
    servers.set(key, place);
    for (const [other, { busy }] of servers) {
      if (servers.size <= mostServers) break;
      if (busy === 0) servers.delete(other);
    }
    return place;
  }

  async function at(place: Place, work: () => Promise<TakenEmail>): Promise<TakenEmail> {
    place.busy += 1;
    try {
      return await place.state.call(work);
    } finally {
      place.busy -= 1;
    }
  }

  return {
    async send(email: OutgoingEmail, server?: MailServer, signal?: AbortSignal) {
      if (server === undefined) {
        if (own.busy >= emailsAtOnce.relay) throw new MailBusy('no_place', noPlaceMs);
        return at(own, () => relay.send(email, undefined, signal));
      }
      const place = serverAt(server);
      if (place.busy >= emailsAtOnce.oneServer || busyElsewhere >= emailsAtOnce.otherServers) {
        throw new MailBusy('no_place', noPlaceMs);
      }
      busyElsewhere += 1;
      try {
        return await at(place, () => relay.send(email, server, signal));
      } finally {
        busyElsewhere -= 1;
      }
    },
  };
}
