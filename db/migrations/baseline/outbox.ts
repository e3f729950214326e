import { withTables } from '../tenant-table.js';

/** Work for Temporal, written in the transaction of the change that requires it, and delivered by the relay. */
export const outbox = withTables(`
  create tenant table outbox (
    run_type text not null,
    subject uuid not null,
    action text not null check (action in ('start', 'poke')),
    input jsonb not null,
    attempts integer not null default 0,
    available_at timestamptz not null default now(),
    parked_at timestamptz,
    last_error_code text,
    created_at timestamptz not null default now(),
    woken boolean not null default false
  );
  revoke update, delete on outbox from wes_app;
  grant select, update, delete on outbox to wes_relay;
  create policy relay on outbox to wes_relay using (true) with check (true);
  -- A login code belongs to no workspace, and its run has to be started all the same. Such rows are seen and written
  -- only where no workspace is set.
  alter table outbox alter column workspace_id drop not null;
  alter policy tenant on outbox
    using (workspace_id = current_workspace() or (workspace_id is null and current_workspace() is null))
    with check (workspace_id = current_workspace() or (workspace_id is null and current_workspace() is null));

  -- The relay serves the workspaces in turn, for each kind of run: it finds the next workspace, and takes the oldest
  -- due entry there. Entries without a workspace are served as those of a workspace 0. Postponed entries come after
  -- the due ones in the index, so none of them is read, however many there are. The pokes of one change to many runs
  -- (woken) wait in an index of their own, behind none of the entries for which people wait.
  create index on outbox (run_type, subject, id);
  create index outbox_interactive on outbox (coalesce(workspace_id, 0), available_at, id)
    where run_type <> 'deliverWebhook' and not woken and parked_at is null;
  create index outbox_woken on outbox (coalesce(workspace_id, 0), available_at, id)
    where woken and parked_at is null;
  create index outbox_webhooks on outbox (coalesce(workspace_id, 0), available_at, id)
    where run_type = 'deliverWebhook' and parked_at is null;
  -- The outbox is measured every few seconds: its oldest waiting entry, and its dead-lettered entries.
  create index outbox_interactive_age on outbox (created_at)
    where run_type <> 'deliverWebhook' and not woken and parked_at is null;
  create index outbox_parked on outbox (run_type) where parked_at is not null;
`);
