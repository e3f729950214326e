import Type from 'typebox';
import {
  acceptMail,
  dropMail,
  type InboxContext,
  mailType,
  maxMailBytes,
  type StoredMail,
  storeMail,
} from '../../../../domain/conversations/emails/accept-email.js';
import { inboxSecret } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { Uuid } from '../../../http/schemas.js';
import { fileStorageOf } from '../../files/upload.js';

const AcceptedEmailResponse = Type.Object(
  {
    uuid: Type.String({
      ...Uuid,
      description: 'UUID of the stored mail, as in `GET W/inbound-emails`; its run is `inbound-email-<uuid>`',
    }),
  },
  { $id: 'AcceptedEmailResponse' },
);

const exampleMail = `From: Ana Diaz <ana@example.org>
To: clinic@example.com
Subject: Appointment
Message-ID: <1@example.org>
Date: Mon, 02 Nov 2026 09:00:00 +0000
Authentication-Results: mx.example.com; dmarc=pass header.from=example.org

I would like to come on Friday.
`;

const receive = defineRoute({
  operationId: 'receiveEmail',
  method: 'POST',
  path: '/inboxes/{inbox_uuid}/inbound',
  tag: 'Inboxes',
  summary: 'Hand a received email in',
  description:
    'For mail servers and mail services: the raw message (RFC 5322), as it was received, with the secret of the inbox in `X-Inbox-Secret`, or with a signature by that secret in `X-Webhook-Signature`. Once the answer is 202, the mail is stored; what becomes of it, `GET W/inbound-emails` says. A copy of a mail that was handed in before is answered with the uuid of that one. A wrong secret or signature is answered like an unknown inbox.',
  access: inboxSecret(),
  consumes: 'mail',
  file: {
    maxBytes: maxMailBytes,
    description: 'The raw message, 25 MB at most',
    kept: true,
    mediaType: mailType,
  },
  example: { params: { inbox_uuid: demo.inboxUuid }, file: exampleMail },
  response: { status: 202, schema: AcceptedEmailResponse, description: 'The mail is stored.' },
  errors: {
    401: 'There is no such inbox, or the secret or the signature is wrong (`inbox_refused`).',
    429: 'The inbox gets more mail than it takes in a minute, or too much at once, or mails with signatures come too many at once from an address (`too_many_uploads`).',
    503: 'Too many mails of the inbox wait to be read (`too_many_mails`), the workspace has no room (`no_room_for_mail`), or the storage cannot be used (`storage_unavailable`).',
  },
  prepare: async ({ context, file, services }): Promise<StoredMail> =>
    storeMail(context, fileStorageOf(services), file),
  giveBack: (context: InboxContext, stored: StoredMail) => dropMail(context, stored),
  handler: async ({ context, prepared }) => acceptMail(context, prepared),
});

export const inboundRoutes = [receive];
