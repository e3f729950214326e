import type { InboundEmailRow } from '../../../../db/channels/inbound-emails.js';
import { mailType } from '../../../../domain/conversations/emails/accept-email.js';
import {
  getRawEmail,
  listInboundEmails,
  resolveInboundEmail,
} from '../../../../domain/conversations/emails/inbound-emails.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import { servedContent } from '../../files/served-content.js';
import { InboundEmailPage, InboundEmailResponse, ListInboundEmailsQuery } from './schemas.js';

const path = '/w/{workspace_uuid}/inbound-emails';
const tag = 'Inboxes';
const item = { params: { inbound_email_id: demo.inboundEmailId } };

const list = defineRoute({
  operationId: 'listInboundEmails',
  method: 'GET',
  path,
  tag,
  summary: 'List received emails',
  description:
    'All mails that were handed in to inboxes within some months, with what became of each. With `needsResponse=true`, the queue of those that a person has to look at: whose sender is not proved, or that cannot be read.',
  access: workspaceMember({ scope: 'chats:read', permission: 'chats:read' }),
  query: ListInboundEmailsQuery,
  response: { status: 200, schema: InboundEmailPage },
  handler: async ({ context, query }) =>
    presentPage(query, await listInboundEmails(context, query), presentInboundEmail),
});

const getRaw = defineRoute({
  operationId: 'getRawEmail',
  method: 'GET',
  path: `${path}/{inbound_email_id}/raw`,
  tag,
  summary: 'Download a received email as it came',
  description:
    'As an attachment, of a mail that may be by anyone. The bytes are kept for 30 days, for 90 while the mail waits for a person, and not beside a message that has everything of the mail.',
  access: workspaceMember({ scope: 'chats:read', permission: 'chats:read' }),
  example: item,
  response: { status: 200, file: true, description: 'The raw message.' },
  handler: async ({ context, params, services }) => {
    const raw = await getRawEmail(context, params.inbound_email_id);
    const file = { ...raw, mimeType: mailType, filename: `mail-${params.inbound_email_id}.eml` };
    const { workspaceUuid } = context.actor;
    return servedContent(services.storage, workspaceUuid, file, { disposition: 'attachment' });
  },
});

const resolve = defineRoute({
  operationId: 'resolveInboundEmail',
  method: 'POST',
  path: `${path}/{inbound_email_id}/resolve`,
  tag,
  summary: 'Take a received email from the queue',
  description: 'Somebody has looked at it. The mail itself stays as it is; repeated calls change nothing.',
  access: workspaceMember({ scope: 'chats:write', permission: 'chats:write' }),
  example: item,
  response: { status: 200, schema: InboundEmailResponse },
  handler: async ({ context, params }) =>
    presentInboundEmail(await resolveInboundEmail(context, params.inbound_email_id)),
});

function presentInboundEmail(row: InboundEmailRow) {
  const { fromAddress: from, proved: senderProved, bytes: size, objectId } = row;
  return { ...row, from, senderProved, size, hasRaw: objectId !== null };
}

export const inboundEmailRoutes = [list, getRaw, resolve];
