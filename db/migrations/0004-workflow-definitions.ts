import type { Knex } from 'knex';
import { tenantKey, tenantTable, timestamps, uuid } from './tenant-table.js';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    [
      tenantTable(
        'phone_numbers',
        `${uuid},
         number text not null,
         name text not null,
         sms_enabled boolean not null default true,
         voice_enabled boolean not null default true,
         inbound_definition_id bigint,
         ${timestamps},
         unique (workspace_id, number)`,
      ),
      tenantTable(
        'workflow_definitions',
        `${uuid},
         name text not null,
         description text,
         active_revision_id bigint,
         default_phone_number_id bigint,
         assistant_member_id bigint,
         archived_at timestamptz,
         ${timestamps},
         ${tenantKey('default_phone_number_id', 'phone_numbers', 'on delete set null (default_phone_number_id)')},
         ${tenantKey('assistant_member_id', 'members')}`,
      ),
      // Without a row for a definition, everyone in the workspace may use it.
      tenantTable(
        'workflow_definition_roles',
        `definition_id bigint not null,
         member_role_id bigint not null,
         created_at timestamptz not null default now(),
         unique (workspace_id, definition_id, member_role_id),
         ${tenantKey('definition_id', 'workflow_definitions', 'on delete cascade')},
         ${tenantKey('member_role_id', 'member_roles', 'on delete cascade')}`,
      ),
      tenantTable(
        'workflow_revisions',
        `${uuid},
         definition_id bigint not null,
         number integer not null,
         name text not null,
         published_at timestamptz,
         published_by_member_id bigint,
         ${timestamps},
         unique (workspace_id, definition_id, number),
         ${tenantKey('definition_id', 'workflow_definitions', 'on delete cascade')},
         ${tenantKey('published_by_member_id', 'members')}`,
      ),
      `alter table workflow_definitions add ${tenantKey('active_revision_id', 'workflow_revisions')};
       alter table phone_numbers
         add ${tenantKey('inbound_definition_id', 'workflow_definitions', 'on delete set null (inbound_definition_id)')};`,
      tenantTable(
        'workflow_tasks',
        `uuid uuid not null default gen_random_uuid(),
         revision_id bigint not null,
         parent_id bigint,
         name text not null,
         task_type text not null check (task_type in
           ('conversation', 'collect', 'message', 'wait', 'decision', 'call', 'handoff', 'conclude')),
         prompt text,
         short_prompt text,
         choice_prompt text,
         description text,
         configuration jsonb not null default '{}',
         cel_guard text,
         cel_condition text,
         auto_next boolean not null default false,
         required boolean not null default false,
         sort_order integer not null default 0,
         created_at timestamptz not null default now(),
         unique (workspace_id, revision_id, uuid),
         ${tenantKey('revision_id', 'workflow_revisions', 'on delete cascade')},
         ${tenantKey('parent_id', 'workflow_tasks', 'on delete cascade')}`,
      ),
      `create unique index workflow_tasks_root_key on workflow_tasks (workspace_id, revision_id) where parent_id is null;`,
      tenantTable(
        'workflow_task_abilities',
        `${uuid},
         task_id bigint not null,
         ability_type text not null,
         config jsonb not null default '{}',
         enabled boolean not null default true,
         cel_condition text,
         ${tenantKey('task_id', 'workflow_tasks', 'on delete cascade')}`,
      ),
      `create index on workflow_task_abilities (workspace_id, task_id);`,
    ].join('\n'),
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table phone_numbers drop constraint phone_numbers_workspace_id_inbound_definition_id_fkey;
    alter table workflow_definitions drop constraint workflow_definitions_workspace_id_active_revision_id_fkey;
    drop table workflow_task_abilities, workflow_tasks, workflow_revisions, workflow_definition_roles,
      workflow_definitions, phone_numbers;
  `);
}
