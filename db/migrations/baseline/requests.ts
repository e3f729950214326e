import { withTables } from '../tenant-table.js';

const outcome = `digest bytea not null,
    operation text not null,
    fingerprint bytea not null,
    status integer not null,
    answer text,
    resource_id bigint,
    created_at timestamptz not null,
    grants text[]`;

/** What an audit log says of an act: who, what, when and from where; no content. */
const act = `created_at timestamptz not null,
    action text not null,
    credential_kind text,
    credential_id bigint,
    subject_type text,
    subject_id bigint,
    names text[] not null default '{}',
    address text,
    user_agent text,
    request_id text,
    count integer not null default 1 check (count > 0),
    sampled_hour timestamptz`;

/** Rows of a log are added; who acted, what and when is never changed. */
const added = (log: string) => `
  revoke update on ${log} from wes_app;
  grant update (count, address, user_agent, request_id) on ${log} to wes_app;`;

/**
 * What is kept of requests: outcomes under an Idempotency-Key, and audit logs (docs/decisions/0165-audit-logs.md).
 */
export const requests = withTables(`
  -- Answers contain what people wrote, so those of a workspace are under its policy. Those of an account (its keys,
  -- its workspaces) have no tenant. The grants are the permissions of the caller whose answer is stored.
  create tenant table idempotency_keys (
    ${outcome},
    unique (workspace_id, digest)
  );
  revoke update on idempotency_keys from wes_app;
  grant update (answer) on idempotency_keys to wes_app;
  create index on idempotency_keys (workspace_id, created_at);
  create index idempotency_keys_resource_idx on idempotency_keys (workspace_id, resource_id)
    where resource_id is not null;

  create identity table account_idempotency_keys (
    ${outcome},
    unique (digest)
  );
  revoke update on identity.account_idempotency_keys from wes_app;
  grant update (answer) on identity.account_idempotency_keys to wes_app;
  create index on identity.account_idempotency_keys (created_at);

  -- No foreign keys: an event outlives what it is about. Nothing younger than thirty days is deleted.
  create tenant table audit_events (
    ${act},
    actor_member_id bigint
  );
  ${added('audit_events')}
  create policy young_events_stay on audit_events as restrictive for delete to wes_app
    using (created_at < now() - interval '30 days');
  create index audit_events_by_time on audit_events (workspace_id, created_at, id);
  create index audit_events_of_action on audit_events (workspace_id, action, created_at, id);
  create index audit_events_of_actor on audit_events (workspace_id, actor_member_id, created_at, id);
  create index audit_events_of_subject on audit_events (workspace_id, subject_type, subject_id, created_at, id);
  create unique index audit_events_sampled on audit_events
    (workspace_id, action, credential_kind, credential_id, sampled_hour) where sampled_hour is not null;

  create identity table audit_events (
    account_id bigint not null,
    ${act},
    unique (id, account_id)
  );
  ${added('identity.audit_events')}
  create index audit_events_of_account on identity.audit_events (account_id, created_at, id);
  create index audit_events_old on identity.audit_events (created_at);
  create unique index audit_events_sampled_of_account on identity.audit_events
    (account_id, action, credential_kind, credential_id, sampled_hour) nulls not distinct where sampled_hour is not null;

  -- Who acted is kept as member of the organization, for those who read it, and as account, because memberships end.
  -- What is sampled is one row for each reason and hour.
  create identity table organization_audit_events (
    organization_id bigint not null,
    actor_account_id bigint,
    actor_member_id bigint,
    ${act},
    unique (id, organization_id)
  );
  ${added('identity.organization_audit_events')}
  create index organization_audit_events_by_time
    on identity.organization_audit_events (organization_id, created_at, id);
  create index organization_audit_events_of_actor
    on identity.organization_audit_events (actor_account_id) where actor_account_id is not null;
  create index organization_audit_events_old on identity.organization_audit_events (created_at);
  create unique index organization_audit_events_sampled
    on identity.organization_audit_events (organization_id, action, names, sampled_hour) where sampled_hour is not null;
`);
