import type { Knex } from 'knex';
import { tenantKey, tenantTable, uuid } from './tenant-table.js';

/**
 * Emails: one row for each that was queued or received, and the addresses of people who want none
 * (docs/decisions/0132-email-is-sent-by-inboxes.md). The tokens stand in addresses and links, and are unguessable. Messages
 * and chats of earlier releases name no email and no inbox, so the keys are not checked against them here; the next
 * migration checks them without a lock that writers wait for.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    [
      tenantTable(
        'emails',
        `${uuid},
         inbox_id bigint not null,
         chat_id bigint,
         message_id bigint,
         delivery_id bigint,
         direction text not null check (direction in ('in', 'out')),
         rfc_message_id text,
         relay_message_id text,
         in_reply_to text,
         reference_ids text[] not null default '{}',
         subject text not null,
         from_address text not null,
         from_name text not null default '',
         to_address text not null,
         reply_token text unique,
         return_token text unique,
         unsubscribe_token text unique,
         tokens_revoked_at timestamptz,
         automatic boolean not null,
         created_at timestamptz not null,
         unique (workspace_id, delivery_id),
         ${tenantKey('inbox_id', 'inboxes')},
         ${tenantKey('chat_id', 'chats', 'on delete cascade')},
         ${tenantKey('message_id', 'messages', 'on delete cascade')},
         ${tenantKey('delivery_id', 'deliveries', 'on delete cascade')}`,
      ),
      `create unique index emails_sent on emails (workspace_id, rfc_message_id) where direction = 'out';
       create index emails_relayed on emails (workspace_id, relay_message_id) where relay_message_id is not null;
       create index on emails (workspace_id, chat_id, id);
       create index on emails (workspace_id, message_id);
       create index on emails (workspace_id, inbox_id);`,
      tenantTable(
        'email_opt_outs',
        `recipient text not null,
         opted_out_at timestamptz not null,
         source text not null check (source in ('link', 'complaint', 'bounce')),
         unique (workspace_id, recipient, source)`,
      ),
      `alter table messages
         add constraint messages_email_key ${tenantKey('email_id', 'emails', 'on delete set null (email_id)')} not valid,
         add constraint messages_inbox_key ${tenantKey('inbox_id', 'inboxes')} not valid;
       alter table chats add constraint chats_inbox_key ${tenantKey('inbox_id', 'inboxes')} not valid;`,
    ].join('\n'),
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table chats drop constraint chats_inbox_key;
    alter table messages drop constraint messages_email_key, drop constraint messages_inbox_key;
    drop table email_opt_outs, emails;
  `);
}
