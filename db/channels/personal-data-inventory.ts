import { ownChats, type PersonalDataInventory } from '../lib/personal-data-inventory.js';
import { CarrierTextModel } from './models/carrier-text.js';
import { DeliveryModel } from './models/delivery.js';
import { EmailModel } from './models/email.js';
import { EmailOptOutModel } from './models/email-opt-out.js';
import { InboundEmailModel } from './models/inbound-email.js';
import { InboxModel } from './models/inbox.js';
import { OptOutProofModel } from './models/opt-out-proof.js';
import { PhoneNumberModel } from './models/phone-number.js';
import { SenderPaceModel } from './models/sender-pace.js';
import { SmsOptOutModel } from './models/sms-opt-out.js';
import { UnsubscribeLinkModel } from './models/unsubscribe-link.js';

/** What the tables of this area hold of a person. */
export const channelsTables: PersonalDataInventory = {
  aboutMembers: [
    {
      model: SmsOptOutModel,
      about: `t.recipient in (select recipient from deliveries where chat_id in (${ownChats}) union all select phone from members where id = :member)`,
      exported: { file: 'sms-opt-outs' },
      erased: {
        by: 'digest',
        column: 'recipient',
        beside: 'sender',
        kept: 'That a number has unsubscribed, as a digest of the number.',
      },
    },
    {
      model: EmailOptOutModel,
      about: `t.recipient in (select recipient from deliveries where chat_id in (${ownChats}) union all select email from members where id = :member)`,
      exported: { file: 'email-opt-outs' },
      erased: {
        by: 'digest',
        column: 'recipient',
        beside: 'source',
        kept: 'That an address has unsubscribed from email, as a digest of the address.',
      },
    },
    {
      model: OptOutProofModel,
      about: 't.member_id = :member',
      exported: { file: 'opt-outs' },
      erased: {
        by: 'empty',
        columns: {
          recipient: `case when t.recipient like 'sha256:%' then t.recipient else 'sha256:' || encode(sha256(convert_to(t.workspace_id || ':' || t.recipient, 'UTF8')), 'hex') end`,
        },
        kept: 'That a number or address has opted out, when and by which way, as a digest of it.',
      },
    },
    {
      model: UnsubscribeLinkModel,
      about: `t.recipient_digest in (select 'sha256:' || encode(sha256(convert_to(:workspace || ':' || email, 'UTF8')), 'hex') from members where id = :member)`,
      exported: { not: 'A digest of the address, and the name of the sender.' },
      erased: {
        by: 'keep',
        kept: 'That the link of an email unsubscribes its address, as a digest of the address, for 60 days.',
      },
    },
    {
      model: DeliveryModel,
      about: `t.chat_id in (${ownChats})`,
      exported: { file: 'deliveries' },
      erased: { by: 'delete' },
    },
    {
      model: EmailModel,
      about: `t.chat_id in (${ownChats})`,
      exported: { file: 'emails' },
      erased: { by: 'delete' },
    },
    {
      model: InboundEmailModel,
      about: `(t.chat_id in (${ownChats}) or t.from_address = (select email from members where id = :member))`,
      exported: { file: 'received-emails', internal: true },
      erased: { by: 'delete' },
    },
  ],
  others: [CarrierTextModel, SenderPaceModel, InboxModel, PhoneNumberModel],
};
