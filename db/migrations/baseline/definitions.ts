import { tenantKey, timestamps, uuid, withTables } from '../tenant-table.js';

/** Workflow definitions with their revisions and tasks, holds, secrets and remote MCP servers. */
export const definitions = withTables(`
  -- A definition can be held (docs/decisions/0095-a-held-workflow-rests-and-is-woken.md).
  create tenant table workflow_definitions (
    ${uuid},
    name text not null,
    description text,
    active_revision_id bigint,
    default_phone_number_id bigint references phone_numbers on delete set null,
    assistant_member_id bigint references members,
    archived_at timestamptz,
    ${timestamps},
    held_at timestamptz,
    held_reason text,
    voice_identity jsonb
  );

  -- Without a row for a definition, everyone in the workspace may use it.
  create tenant table workflow_definition_roles (
    definition_id bigint not null references workflow_definitions on delete cascade,
    member_role_id bigint not null references member_roles on delete cascade,
    created_at timestamptz not null default now(),
    unique (workspace_id, definition_id, member_role_id)
  );

  create tenant table workflow_revisions (
    ${uuid},
    definition_id bigint not null references workflow_definitions on delete cascade,
    number integer not null,
    name text not null,
    published_at timestamptz,
    published_by_member_id bigint references members,
    ${timestamps},
    unique (workspace_id, definition_id, number)
  );
  alter table workflow_definitions add ${tenantKey('active_revision_id', 'workflow_revisions')};
  alter table phone_numbers
    add ${tenantKey('inbound_definition_id', 'workflow_definitions', 'on delete set null (inbound_definition_id)')};

  -- after_call and realtime_model_config: null as in the task above it.
  create tenant table workflow_tasks (
    uuid uuid not null default gen_random_uuid(),
    revision_id bigint not null references workflow_revisions on delete cascade,
    parent_id bigint references workflow_tasks on delete cascade,
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
    after_call text check (after_call in ('text', 'stand')),
    realtime_model_config jsonb,
    unique (workspace_id, revision_id, uuid)
  );
  create unique index workflow_tasks_root_key on workflow_tasks (workspace_id, revision_id) where parent_id is null;

  create tenant table workflow_task_abilities (
    ${uuid},
    task_id bigint not null references workflow_tasks on delete cascade,
    ability_type text not null,
    config jsonb not null default '{}',
    enabled boolean not null default true,
    cel_condition text
  );
  create index on workflow_task_abilities (workspace_id, task_id);

  -- Holds of the whole workspace (docs/decisions/0095-a-held-workflow-rests-and-is-woken.md): the open one
  -- has no ended_at. One that has ended has no woken_at until what rested is woken, list by list. They are kept: what
  -- has rested is older by that time without being late.
  create tenant table workspace_holds (
    held_at timestamptz not null,
    until timestamptz,
    reason text,
    held_by_member_id bigint not null references members,
    ended_at timestamptz,
    ended_by_member_id bigint references members,
    woken_list text,
    woken_after bigint,
    woken_at timestamptz
  );
  revoke delete on workspace_holds from wes_app;

  create unique index workspace_holds_open on workspace_holds (workspace_id) where ended_at is null;
  create index workspace_holds_unwoken on workspace_holds (workspace_id, id) where woken_at is null;
  create index workspace_holds_ended on workspace_holds (workspace_id, ended_at);
  create index workspace_holds_held_by on workspace_holds (workspace_id, held_by_member_id);
  create index workspace_holds_ended_by on workspace_holds (workspace_id, ended_by_member_id);

  -- Secrets of requests of agents (docs/decisions/0140-requests-of-agents.md).
  create tenant table secrets (
    ${uuid},
    name text not null,
    hosts text[] not null,
    ciphertext bytea not null,
    changed_by_member_id bigint references members,
    value_changed_at timestamptz not null,
    refused_at timestamptz,
    ${timestamps},
    unique (workspace_id, name)
  );
  create index on secrets (workspace_id, changed_by_member_id);

  -- Remote MCP servers and their tools, as they were last listed. Agents may call those whose digest is the one that
  -- an admin has allowed (docs/decisions/0184-tools-of-remote-mcp-servers.md).
  create tenant table mcp_servers (
    ${uuid},
    name text not null,
    url text not null,
    token bytea,
    enabled boolean not null default true,
    changed_by_member_id bigint references members,
    credential_changed_at timestamptz not null,
    refused_at timestamptz,
    unavailable_until timestamptz,
    refresh_began_at timestamptz,
    refreshed_at timestamptz,
    refresh_failure text,
    is_list_cut boolean not null default false,
    tools_changed_at timestamptz,
    ${timestamps},
    unique (workspace_id, name)
  );

  create tenant table mcp_tools (
    server_id bigint not null references mcp_servers on delete cascade,
    name text not null,
    title text,
    description text not null,
    input_schema jsonb,
    is_read_only boolean not null,
    is_idempotent boolean not null,
    is_destructive boolean not null,
    digest text not null,
    problem text,
    gone_at timestamptz,
    allowed_digest text,
    approval text check (approval in ('none', 'person')),
    allowed_by_member_id bigint references members,
    allowed_at timestamptz,
    ${timestamps},
    unique (workspace_id, server_id, name),
    check ((allowed_digest is null) = (approval is null))
  );
  create index on mcp_servers (workspace_id, changed_by_member_id);
  create index on mcp_tools (workspace_id, allowed_by_member_id) where allowed_by_member_id is not null;
`);
