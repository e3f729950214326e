import type { Knex } from 'knex';
import { tenantKey, tenantTable, timestamps, uuid } from './tenant-table.js';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    [
      tenantTable(
        'assignments',
        `${uuid},
         member_id bigint not null,
         definition_id bigint not null,
         revision_id bigint not null,
         chat_id bigint not null,
         status text not null default 'active' check (status in ('active', 'completed', 'cancelled', 'failed')),
         outcome text,
         outcome_reason text,
         concluded_at timestamptz,
         current_task_id bigint,
         automatic_steps integer not null default 0,
         is_test boolean not null default false,
         created_by_member_id bigint,
         ${timestamps},
         unique (workspace_id, chat_id),
         check ((status = 'active') = (concluded_at is null)),
         ${tenantKey('member_id', 'members')},
         ${tenantKey('definition_id', 'workflow_definitions')},
         ${tenantKey('revision_id', 'workflow_revisions')},
         ${tenantKey('chat_id', 'chats')},
         ${tenantKey('created_by_member_id', 'members')}`,
      ),
      `create index on assignments (workspace_id, member_id, id);
       create index on assignments (workspace_id, id) where status = 'active';`,
      tenantTable(
        'assignment_tasks',
        `${uuid},
         assignment_id bigint not null,
         task_id bigint not null,
         parent_id bigint,
         visited_at timestamptz,
         completed_at timestamptz,
         due_at timestamptz,
         message_id bigint,
         entered_after_message_id bigint,
         unique (workspace_id, assignment_id, task_id),
         ${tenantKey('assignment_id', 'assignments', 'on delete cascade')},
         ${tenantKey('task_id', 'workflow_tasks')},
         ${tenantKey('parent_id', 'assignment_tasks')},
         ${tenantKey('message_id', 'messages')}`,
      ),
      `alter table assignments add ${tenantKey('current_task_id', 'assignment_tasks')} deferrable initially deferred;
       alter table data_records add ${tenantKey('assignment_task_id', 'assignment_tasks')};`,
      tenantTable(
        'assignment_task_visits',
        `assignment_id bigint not null,
         assignment_task_id bigint not null,
         from_assignment_task_id bigint,
         request_uuid uuid,
         entered_by text not null check (entered_by in ('agent', 'member', 'operator', 'automatic')),
         actor_member_id bigint,
         created_at timestamptz not null default now(),
         unique (workspace_id, request_uuid),
         ${tenantKey('assignment_id', 'assignments', 'on delete cascade')},
         ${tenantKey('assignment_task_id', 'assignment_tasks')},
         ${tenantKey('from_assignment_task_id', 'assignment_tasks')},
         ${tenantKey('actor_member_id', 'members')}`,
      ),
      `create index on assignment_task_visits (workspace_id, assignment_id, id);`,
      // The reason of a cancellation is text that a person wrote: it stays here, and the run gets only the row's uuid.
      tenantTable(
        'assignment_cancellations',
        `uuid uuid not null,
         assignment_id bigint not null,
         reason text,
         actor_member_id bigint,
         created_at timestamptz not null default now(),
         unique (workspace_id, uuid),
         ${tenantKey('assignment_id', 'assignments', 'on delete cascade')},
         ${tenantKey('actor_member_id', 'members')}`,
      ),
    ].join('\n'),
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table data_records drop constraint data_records_workspace_id_assignment_task_id_fkey;
    alter table assignments drop constraint assignments_workspace_id_current_task_id_fkey;
    drop table assignment_cancellations, assignment_task_visits, assignment_tasks, assignments;
  `);
}
