import { ownChats, type PersonTables } from '../lib/person-data.js';

/** What the tables of this area hold of a person. */
export const channelsTables: PersonTables = {
  'public.sms_opt_outs': {
    personal: 'recipient',
    configuration: 'sender',
    rest: 'id workspace_id opted_out_at source',
    about: `t.recipient in (select recipient from deliveries where chat_id in (${ownChats}) union all select phone from members where id = :member)`,
    exported: { file: 'sms-opt-outs' },
    erased: {
      by: 'digest',
      column: 'recipient',
      beside: 'sender',
      kept: 'That a number has unsubscribed, as a digest of the number.',
    },
  },
  'public.email_opt_outs': {
    personal: 'recipient',
    secret: 'recipient_digest',
    rest: 'id workspace_id opted_out_at source',
    about: `t.recipient in (select recipient from deliveries where chat_id in (${ownChats}) union all select email from members where id = :member)`,
    exported: { file: 'email-opt-outs' },
    erased: {
      by: 'digest',
      column: 'recipient',
      beside: 'source',
      kept: 'That an address has unsubscribed from email, as a digest of the address.',
    },
  },
  'public.opt_out_proofs': {
    personal: 'recipient words',
    rest: 'id workspace_id member_id channel source heard_on by_member_id opted_out_at lifted_at',
    about: 't.member_id = :member',
    exported: { file: 'opt-outs' },
    erased: {
      by: 'empty',
      columns: {
        words: 'null',
        recipient: `case when t.recipient like 'sha256:%' then t.recipient else 'sha256:' || encode(sha256(convert_to(t.workspace_id || ':' || t.recipient, 'UTF8')), 'hex') end`,
      },
      kept: 'That a number or address has opted out, when and by which way, as a digest of it.',
    },
  },
  'public.unsubscribe_links': {
    configuration: 'from_name',
    secret: 'token recipient_digest',
    rest: 'id workspace_id created_at',
    about: `t.recipient_digest in (select 'sha256:' || encode(sha256(convert_to(:workspace || ':' || email, 'UTF8')), 'hex') from members where id = :member)`,
    exported: { not: 'A digest of the address, and the name of the sender.' },
    erased: {
      by: 'keep',
      kept: 'That the link of an email unsubscribes its address, as a digest of the address, for 60 days.',
    },
  },
  'public.deliveries': {
    personal: 'recipient',
    configuration: 'sender',
    rest: 'id workspace_id uuid chat_id message_id channel state attempts failures claimed_at not_before sent_at taken_at carrier_message_id error_code failure_reason created_at updated_at outcome_unknown receipt_due_at claim_token look_ups expires_at order_group purpose begun_by counts_as_begun held_until slot_at ended_wait',
    about: `t.chat_id in (${ownChats})`,
    exported: { file: 'deliveries' },
    erased: { by: 'delete' },
  },
  'public.carrier_texts': {
    rest: 'id workspace_id carrier_message_id inbound sent_at segments price price_unit',
  },
  'public.sender_paces': {
    configuration: 'sender',
    rest: 'id workspace_id next_at late_at paused_until',
  },
  'public.emails': {
    personal: 'subject from_address from_name to_address',
    secret: 'reply_token return_token unsubscribe_token',
    rest: 'id workspace_id uuid inbox_id chat_id message_id delivery_id direction rfc_message_id relay_message_id in_reply_to reference_ids tokens_revoked_at automatic begun_attempt created_at',
    about: `t.chat_id in (${ownChats})`,
    exported: { file: 'emails' },
    erased: { by: 'delete' },
  },
  'public.inboxes': {
    configuration: 'address from_name signature authserv_id smtp_host smtp_user',
    secret: 'inbound_secret_hash inbound_secret previous_secret_hash previous_secret smtp_password',
    rest: 'id workspace_id uuid assistant_member_id definition_id enabled previous_secret_until smtp_port smtp_security attachments_told_at created_at updated_at',
  },
  'public.inbound_emails': {
    personal: 'from_address subject',
    secret: 'digest',
    rest: 'id workspace_id uuid inbox_id object_id bytes state reason needs_response proved chat_id message_id attempts received_at settled_at resolved_at resolved_by_member_id',
    about: `(t.chat_id in (${ownChats}) or t.from_address = (select email from members where id = :member))`,
    exported: { file: 'received-emails', internal: true },
    erased: { by: 'delete' },
  },
  'public.phone_numbers': {
    configuration: 'number name business_hours greeting',
    rest: 'id workspace_id uuid sms_enabled mms_enabled voice_enabled inbound_definition_id segments_per_second created_at updated_at',
  },
};
