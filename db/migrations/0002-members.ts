import type { Knex } from 'knex';
import { tenantKey, tenantTable, timestamps, uuid } from './tenant-table.js';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    [
      tenantTable(
        'member_roles',
        `name text not null,
         use_admin boolean not null default false,
         manage_workspace boolean not null default false,
         permissions text[] not null default '{}',
         ${timestamps},
         unique (workspace_id, name)`,
      ),
      tenantTable(
        'member_labels',
        `${uuid},
         name text not null,
         slug text not null,
         color text not null,
         ${timestamps},
         unique (workspace_id, slug)`,
      ),
      tenantTable(
        'members',
        `${uuid},
         kind text not null default 'human' check (kind in ('human', 'assistant')),
         name text,
         email text,
         phone text,
         date_of_birth date,
         description text,
         external_id text,
         member_role_id bigint not null,
         locale text,
         notify_email boolean not null default true,
         notify_sms boolean not null default true,
         notify_voice boolean not null default true,
         deleted_at timestamptz,
         ${timestamps},
         ${tenantKey('member_role_id', 'member_roles')}`,
      ),
      // A deleted member stays, so that its history is readable; its identifiers become available.
      `create unique index members_email_key on members (workspace_id, email) where deleted_at is null;
       create unique index members_phone_key on members (workspace_id, phone) where deleted_at is null;
       create unique index members_external_id_key on members (workspace_id, external_id) where deleted_at is null;
       create index on members (workspace_id, member_role_id);`,
      tenantTable(
        'member_label_links',
        `member_id bigint not null,
         member_label_id bigint not null,
         created_at timestamptz not null default now(),
         unique (workspace_id, member_id, member_label_id),
         ${tenantKey('member_id', 'members', 'on delete cascade')},
         ${tenantKey('member_label_id', 'member_labels', 'on delete cascade')}`,
      ),
      tenantTable(
        'assistants',
        `${uuid},
         member_id bigint not null,
         instructions text not null default '',
         chat_model_id text,
         realtime_model_id text,
         chat_model_config jsonb not null default '{}',
         realtime_model_config jsonb not null default '{}',
         is_default boolean not null default false,
         enabled boolean not null default true,
         ${timestamps},
         unique (workspace_id, member_id),
         ${tenantKey('member_id', 'members')}`,
      ),
      `create unique index assistants_default_key on assistants (workspace_id) where is_default;`,
    ].join('\n'),
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table assistants, member_label_links, members, member_labels, member_roles;');
}
