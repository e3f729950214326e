import type { Knex } from 'knex';
import { tenantKey, tenantTable, uuid } from './tenant-table.js';

/**
 * Mail that was handed in to an inbox, with what became of it (docs/decisions/0134-received-mail-is-kept-first.md). The
 * digest is of what every copy of a mail has, so that a copy is no second mail. The bytes are kept while somebody may have
 * to look at them, and are deleted with the row, or once it names them no more.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    [
      tenantTable(
        'inbound_emails',
        `${uuid},
         inbox_id bigint not null,
         object_id bigint,
         digest bytea not null,
         bytes bigint not null,
         state text not null default 'received'
           check (state in ('received', 'chat', 'report', 'held', 'noted')),
         reason text,
         needs_response boolean not null default false,
         from_address text,
         subject text,
         proved boolean not null default false,
         chat_id bigint,
         message_id bigint,
         attempts integer not null default 0,
         received_at timestamptz not null,
         settled_at timestamptz,
         resolved_at timestamptz,
         resolved_by_member_id bigint,
         unique (workspace_id, inbox_id, digest),
         check ((state = 'received') = (settled_at is null)),
         check (not needs_response or state = 'held'),
         ${tenantKey('inbox_id', 'inboxes', 'on delete cascade')},
         ${tenantKey('object_id', 'stored_objects', 'on delete set null (object_id)')},
         ${tenantKey('chat_id', 'chats', 'on delete set null (chat_id)')},
         ${tenantKey('message_id', 'messages', 'on delete set null (message_id)')},
         ${tenantKey('resolved_by_member_id', 'members')}`,
      ),
      `create index inbound_emails_to_do on inbound_emails (workspace_id, inbox_id, id) where state = 'received';
       create index inbound_emails_waiting on inbound_emails (workspace_id, received_at, id) where needs_response;
       create index on inbound_emails (workspace_id, received_at, id);
       create index inbound_emails_begun on inbound_emails (workspace_id, inbox_id, received_at)
         where reason = 'new_chat';
       create index emails_received on emails (workspace_id, rfc_message_id) where direction = 'in';
       create index on inbound_emails (workspace_id, from_address, id);
       create index inbound_emails_kept on inbound_emails (workspace_id, proved, bytes) where object_id is not null;
       create index on inbound_emails (workspace_id, object_id) where object_id is not null;
       create index on inbound_emails (workspace_id, chat_id) where chat_id is not null;
       create index on inbound_emails (workspace_id, message_id) where message_id is not null;
       create index on inbound_emails (workspace_id, resolved_by_member_id) where resolved_by_member_id is not null;
       create function doom_raw_mail() returns trigger language plpgsql as $$
       begin
         update stored_objects set state = 'doomed', state_since = clock_timestamp()
         where workspace_id = old.workspace_id and id = old.object_id and state <> 'doomed';
         return null;
       end $$;
       create trigger doom after update of object_id on inbound_emails for each row
         when (old.object_id is not null and old.object_id is distinct from new.object_id)
         execute function doom_raw_mail();
       create trigger doom_deleted after delete on inbound_emails for each row
         when (old.object_id is not null) execute function doom_raw_mail();`,
    ].join('\n'),
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    update stored_objects set state = 'doomed', state_since = now()
      where id in (select object_id from inbound_emails where object_id is not null) and state <> 'doomed';
    drop table inbound_emails;
    drop index emails_received;
    drop function doom_raw_mail;
  `);
}
