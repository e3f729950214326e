import type { OwnMessage } from '../../domain/channels/outreach/claim-notice.js';
import { notConfigured, ProviderRefused } from '../../providers/failures.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';

/** Hands a message of the service itself to the mail server or the carrier. @throws ProviderRefused where there is none */
export async function sendOwnMessage(
  { mail, carrier }: Pick<ActivityDependencies, 'mail' | 'carrier'>,
  message: OwnMessage,
): Promise<void> {
  if (message.channel === 'email') {
    if (mail === undefined) throw new ProviderRefused('mail', notConfigured);
    const { to, subject, text } = message;
    return mail.send({ to, subject, text });
  }
  const { to, from, body } = message;
  if (carrier === undefined || from === null) throw new ProviderRefused('carrier', notConfigured);
  await carrier.sendSms({ from, to, body });
}
