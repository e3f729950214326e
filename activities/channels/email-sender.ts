import { cancellationSignal } from '@temporalio/activity';
import {
  type EmailToSend,
  findServerOfEmail,
  type MailServerOfInbox,
} from '../../domain/channels/email/email-to-send.js';
import { domainOf } from '../../domain/channels/inboxes/inbox-address.js';
import { readPassword } from '../../domain/channels/inboxes/smtp-settings.js';
import { objectKey } from '../../domain/files/object-store.js';
import { Undecipherable } from '../../domain/lib/encryption.js';
import {
  notConfigured,
  ProviderBusy,
  ProviderFailure,
  ProviderRefused,
  ProviderUnusable,
} from '../../providers/failures.js';
import type { MailServer, OutgoingAttachment, OutgoingEmail } from '../../providers/mail/email-relay.js';
import { MailPlaces } from '../../providers/mail/mail-places.js';
import { StorageMissing } from '../../providers/storage/storage.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';
import { withHeartbeat } from '../kernel/with-heartbeat.js';
import type { ChannelSender, ClaimedDelivery } from './channel-sender.js';
import { emailContent } from './email-content.js';
import { bytesLost, requireBytes } from './message-media.js';

/** Sends emails by SMTP. A mail server cannot be asked what became of one: what may have been sent is not sent again. */
export function emailSender(dependencies: ActivityDependencies): ChannelSender {
  const places = new MailPlaces({ now: () => dependencies.clock.now() });
  return {
    looksUp: false,
    async enter(ref) {
      const server = await findServerOfEmail(dependencies, ref);
      return server === undefined ? undefined : places.enter({ workspaceId: ref.workspaceId, server });
    },
    async send(claim) {
      const { email } = claim;
      if (email === undefined) throw new ProviderRefused('mail', notConfigured);
      const server = serverOf(dependencies, claim.from, email.server);
      await requireBytes(dependencies, claim);
      const taken = await withHeartbeat(() =>
        dependencies.email.relay.send(outgoing(dependencies, claim, email), server, cancellationSignal()),
      );
      return { carrierMessageId: taken.relayMessageId ?? email.messageId };
    },
    find: async () => undefined,
    ask: async () => undefined,
  };
}

/** The inbox's own server; undefined for the service's relay, if that sends for the address. @throws ProviderFailure */
function serverOf(
  { email, webhooks }: Pick<ActivityDependencies, 'email' | 'webhooks'>,
  address: string,
  server: MailServerOfInbox | null,
): MailServer | undefined {
  if (server === null) {
    // The operator may have changed the domain since the inbox was created.
    if (email.domain !== domainOf(address)) throw new ProviderRefused('mail', notConfigured);
    return undefined;
  }
  const { host, port, security, smtpUser: user, smtpPassword } = server;
  if (user === null || smtpPassword === null) return { host, port, security };
  try {
    return {
      host,
      port,
      security,
      login: { user, password: readPassword(webhooks.encryption, server, smtpPassword) },
    };
  } catch (error) {
    // An operator may bring the key back, or the workspace give the password again.
    if (error instanceof Undecipherable)
      throw new ProviderUnusable('mail', error.code, { wholeAccount: false });
    throw error;
  }
}

function outgoing(
  dependencies: Pick<ActivityDependencies, 'storage' | 'publicUrl'>,
  claim: ClaimedDelivery,
  email: EmailToSend,
): OutgoingEmail {
  const { from, to, body, media, workspaceUuid } = claim;
  const { unsubscribeToken, autoSubmitted, signature } = email;
  const unsubscribeUrl =
    unsubscribeToken === null
      ? undefined
      : `${dependencies.publicUrl}/api/v2/w/${workspaceUuid}/unsubscribe/${unsubscribeToken}`;
  return {
    envelope: { from: email.returnPath, to },
    from: { name: email.fromName, address: from },
    replyTo: email.replyTo,
    messageId: email.messageId,
    inReplyTo: email.inReplyTo,
    references: email.references,
    date: email.createdAt,
    subject: email.subject,
    ...emailContent({
      body,
      signature,
      subject: email.subject,
      locale: email.locale,
      footer: email.footer,
      ...(unsubscribeUrl === undefined ? {} : { unsubscribeUrl }),
    }),
    headers: {
      'Content-Language': email.locale,
      ...(autoSubmitted === null ? {} : { 'Auto-Submitted': autoSubmitted }),
      // The relay's DKIM signature has to cover both (RFC 8058).
      ...(unsubscribeUrl === undefined
        ? {}
        : {
            'List-Unsubscribe': `<${unsubscribeUrl}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
    },
    attachments: media.map(({ filename, mimeType, objectUuid }): OutgoingAttachment => {
      const key = objectKey(workspaceUuid, objectUuid);
      return { filename, mimeType, open: () => open(dependencies, key) };
    }),
  };
}

/** @throws ProviderFailure of the storage */
async function open({ storage }: Pick<ActivityDependencies, 'storage'>, key: string) {
  try {
    return await storage.get(key);
  } catch (error) {
    if (error instanceof StorageMissing) throw new ProviderRefused('storage', bytesLost);
    throw error instanceof ProviderFailure ? error : new ProviderBusy('storage', 'unknown');
  }
}
