import { executableBy, tenantKey, timestamps, uuid, withTables } from '../tenant-table.js';

/** As `digestOf` of db/channels/recipient-digest.ts. */
const digest = (row: string, address: string) =>
  `'sha256:' || encode(sha256(convert_to(${row}.workspace_id || ':' || ${row}.${address}, 'UTF8')), 'hex')`;

/** What is sent, and who wants nothing to be sent. */
export const deliveries = withTables(`
  -- One for each recipient of a message (docs/decisions/0125-a-port-for-each-channel.md).
  create tenant table deliveries (
    ${uuid},
    chat_id bigint not null references chats on delete cascade,
    message_id bigint not null references messages on delete cascade,
    channel text not null check (channel in ('phone-sms', 'email')),
    sender text not null,
    recipient text not null,
    state text not null default 'queued' check (state in ('queued', 'claimed', 'sent', 'delivered', 'failed')),
    attempts integer not null default 0,
    failures integer not null default 0,
    claimed_at timestamptz,
    not_before timestamptz,
    sent_at timestamptz,
    carrier_message_id text,
    error_code text,
    failure_reason text,
    ${timestamps},
    -- What the run is woken for: an unknown outcome, or a late receipt.
    outcome_unknown boolean not null default false,
    receipt_due_at timestamptz,
    claim_token uuid,
    look_ups integer not null default 0,
    expires_at timestamptz not null default now() + interval '4 hours',
    order_group timestamptz,
    purpose text not null default 'reply',
    begun_by text,
    -- The end of quiet hours that it waits for, or its slot among those of its sender.
    held_until timestamptz,
    slot_at timestamptz,
    -- A message that fails puts the chat back in the queue that it took it out of.
    ended_wait boolean not null default false,
    -- A message that its provider took, refused later and took again is told of once.
    taken_at timestamptz,
    counts_as_begun boolean not null default false
  );
  alter table deliveries
    add constraint deliveries_purpose_check
      check (purpose in ('reply', 'agent_initiated', 'task', 'opt_out_confirmation')) not valid,
    add constraint deliveries_begun_by_check check (begun_by in ('agent', 'task', 'person')) not valid;
  create unique index deliveries_of_message on deliveries (workspace_id, message_id, channel, recipient);
  create index deliveries_of_chat on deliveries (workspace_id, chat_id, id);
  create index deliveries_unsent on deliveries (workspace_id, chat_id, id) where state in ('queued', 'claimed');
  create index deliveries_with_receipt_due on deliveries (workspace_id, chat_id, receipt_due_at)
    where receipt_due_at is not null;
  create index on deliveries (workspace_id, receipt_due_at) where receipt_due_at is not null;
  create index on deliveries (workspace_id, recipient, id);
  create index deliveries_recipient_created on deliveries (workspace_id, recipient, created_at);
  create index deliveries_begun on deliveries (workspace_id, created_at) where counts_as_begun;
  create index deliveries_begun_to on deliveries (workspace_id, recipient, created_at) where counts_as_begun;
  create index deliveries_due on deliveries ((coalesce(not_before, created_at))) where state = 'queued';

  create function note_delivery() returns trigger language plpgsql as $$
  begin
    if new.state = 'queued' and new.held_until is distinct from old.held_until then
      perform note_in_timeline(new.workspace_id, new.chat_id, 'delivery', 'held', 'quiet_hours',
        until => new.held_until, message_id => new.message_id);
    elsif new.state = 'queued' then
      perform note_in_timeline(new.workspace_id, new.chat_id, 'delivery', 'tried_again',
        until => new.not_before, message_id => new.message_id);
    else
      perform note_in_timeline(new.workspace_id, new.chat_id, 'delivery', new.state, new.failure_reason,
        message_id => new.message_id);
    end if;
    return null;
  end $$;
  create trigger note after update on deliveries for each row
    when (new.state is distinct from old.state and new.state in ('sent', 'delivered', 'failed')
      or new.state = 'queued' and new.failures > old.failures)
    execute function note_delivery();
  create trigger note_held after update of held_until on deliveries for each row
    when (new.held_until is distinct from old.held_until and new.held_until is not null)
    execute function note_delivery();

  -- Sees all workspaces, so only the relay may call it, and it returns numbers alone. What waits behind an earlier
  -- message of its chat is not due.
  create function due_deliveries(late interval, most integer)
    returns table (oldest_seconds float8, deliveries integer)
    language sql stable security definer set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
    as $$
      with late as materialized (
        select workspace_id, chat_id, id, coalesce(not_before, created_at) as due_at from public.deliveries
        where state = 'queued' and coalesce(not_before, created_at) < now() - $1
        order by coalesce(not_before, created_at) limit $2
      ),
      due as (
        select due_at from late
        where not exists (
          select from public.deliveries earlier
          where earlier.workspace_id = late.workspace_id and earlier.chat_id = late.chat_id
            and earlier.state = 'queued' and earlier.id < late.id and earlier.not_before > now()
        )
      )
      select coalesce(extract(epoch from now() - min(due_at))::float8, 0), count(*)::integer from due
    $$;
  ${executableBy('wes_relay', 'due_deliveries(interval, integer)')}

  create tenant table sms_opt_outs (
    recipient text not null,
    sender text not null,
    opted_out_at timestamptz not null,
    source text not null check (source in ('keyword', 'carrier')),
    unique (workspace_id, recipient, sender)
  );

  -- Who has opted out of what, when, in which words and by which way. The one of calls is in force until it is
  -- lifted; of SMS and email, sms_opt_outs, members and email_opt_outs say so.
  create tenant table opt_out_proofs (
    member_id bigint references members,
    recipient text,
    channel text not null check (channel in ('sms', 'email', 'calls')),
    source text not null,
    heard_on text,
    words text,
    by_member_id bigint,
    opted_out_at timestamptz not null,
    lifted_at timestamptz
  );
  create index opt_out_proofs_member on opt_out_proofs (workspace_id, member_id, id);
  create index opt_out_proofs_recipient on opt_out_proofs (workspace_id, recipient) where lifted_at is null;

  -- What the carrier's list says of texts: no number and no words. They outlive messages and deliveries, because a
  -- bill does.
  create tenant table carrier_texts (
    carrier_message_id text not null,
    inbound boolean not null,
    sent_at timestamptz not null,
    segments integer not null,
    price double precision,
    price_unit text,
    unique (workspace_id, carrier_message_id)
  );
  create index on carrier_texts (workspace_id, sent_at);
`);

/**
 * Inboxes, the addresses from which a workspace sends email and at which it receives it, and their emails
 * (docs/decisions/0132-email-is-sent-by-inboxes.md). Their addresses are unique in the whole service, because a
 * received mail finds its workspace by them.
 */
export const email = withTables(`
  create table identity.inbox_routes (
    address text primary key,
    inbox_uuid uuid not null unique,
    workspace_id bigint not null references identity.workspaces (id),
    inbox_id bigint not null
  );
  create index on identity.inbox_routes (workspace_id);
  grant select, insert, delete on identity.inbox_routes to wes_app;

  -- Secrets are encrypted, so that signatures of mail can be checked. Where only the hash of one is known, signatures
  -- are refused until it is rotated.
  create tenant table inboxes (
    ${uuid},
    address text not null check (address = lower(address)),
    from_name text not null,
    signature text not null default '',
    assistant_member_id bigint references members,
    definition_id bigint references workflow_definitions,
    enabled boolean not null default true,
    authserv_id text,
    inbound_secret_hash bytea not null,
    previous_secret_hash bytea,
    previous_secret_until timestamptz,
    smtp_host text,
    smtp_port integer,
    smtp_security text check (smtp_security in ('tls', 'starttls', 'none')),
    smtp_user text,
    smtp_password bytea,
    ${timestamps},
    inbound_secret bytea,
    previous_secret bytea,
    attachments_told_at timestamptz,
    unique (workspace_id, address),
    check (num_nulls(smtp_host, smtp_port, smtp_security) in (0, 3)),
    check (num_nulls(smtp_user, smtp_password) in (0, 2)),
    check (num_nulls(previous_secret_hash, previous_secret_until) in (0, 2))
  );
  alter table chats add constraint chats_inbox_key ${tenantKey('inbox_id', 'inboxes')};

  -- The tokens stand in addresses and links, and are unguessable. begun_attempt is the attempt that has begun: null
  -- where it is not known.
  create tenant table emails (
    ${uuid},
    inbox_id bigint not null references inboxes,
    chat_id bigint references chats on delete cascade,
    message_id bigint references messages on delete cascade,
    delivery_id bigint references deliveries on delete cascade,
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
    begun_attempt integer,
    unique (workspace_id, delivery_id)
  );
  create unique index emails_sent on emails (workspace_id, rfc_message_id) where direction = 'out';
  create index emails_received on emails (workspace_id, rfc_message_id) where direction = 'in';
  create index emails_relayed on emails (workspace_id, relay_message_id) where relay_message_id is not null;
  -- Counts what agents and tasks of a workspace begin in a day.
  create index emails_begun on emails (workspace_id, created_at) where unsubscribe_token is not null;
  create index on emails (workspace_id, chat_id, id);
  create index on emails (workspace_id, message_id);
  create index on emails (workspace_id, inbox_id);
  alter table messages
    add constraint messages_email_key ${tenantKey('email_id', 'emails', 'on delete set null (email_id)')},
    add constraint messages_inbox_key ${tenantKey('inbox_id', 'inboxes')};

  -- The links of emails by which people unsubscribe, which work when the email itself is deleted
  -- (docs/decisions/0143-unsubscribe-links-outlive-emails.md). They name the address by its digest, and so do
  -- opt-outs.
  create tenant table unsubscribe_links (
    token text not null unique,
    recipient_digest text not null,
    from_name text not null,
    created_at timestamptz not null
  );
  revoke update on unsubscribe_links from wes_app;
  create index on unsubscribe_links (workspace_id, created_at);
  create function note_unsubscribe_link() returns trigger language plpgsql as $$
  begin
    insert into unsubscribe_links (workspace_id, token, recipient_digest, from_name, created_at)
    values (new.workspace_id, new.unsubscribe_token, ${digest('new', 'to_address')}, new.from_name,
      new.created_at)
    on conflict (token) do nothing;
    return null;
  end $$;
  create trigger note_unsubscribe_link after insert on emails for each row
    when (new.unsubscribe_token is not null) execute function note_unsubscribe_link();
  -- A revoked link is deleted, so that it stays revoked when its email is deleted.
  create function revoke_unsubscribe_link() returns trigger language plpgsql as $$
  begin
    delete from unsubscribe_links where workspace_id = new.workspace_id and token = new.unsubscribe_token;
    return null;
  end $$;
  create trigger revoke_unsubscribe_link after update of tokens_revoked_at on emails for each row
    when (new.tokens_revoked_at is not null) execute function revoke_unsubscribe_link();

  create tenant table email_opt_outs (
    recipient text not null,
    opted_out_at timestamptz not null,
    source text not null check (source in ('link', 'complaint', 'bounce')),
    recipient_digest text,
    unique (workspace_id, recipient, source)
  );
  create index on email_opt_outs (workspace_id, recipient_digest);
  -- The recipient is a digest itself where its member is erased.
  create function digest_opt_out() returns trigger language plpgsql as $$
  begin
    new.recipient_digest := case when position('@' in new.recipient) = 0 then new.recipient
      else ${digest('new', 'recipient')} end;
    return new;
  end $$;
  create trigger digest_opt_out before insert on email_opt_outs for each row execute function digest_opt_out();

  -- Mail that was handed in, with what became of it (docs/decisions/0134-received-mail-is-kept-first.md). The digest
  -- is of what every copy of a mail has, so that a copy is no second mail. The bytes are kept while somebody may have
  -- to look at them, and are deleted with the row, or once it names them no more.
  create tenant table inbound_emails (
    ${uuid},
    inbox_id bigint not null references inboxes on delete cascade,
    object_id bigint references stored_objects on delete set null,
    digest bytea not null,
    bytes bigint not null,
    state text not null default 'received' check (state in ('received', 'chat', 'report', 'held', 'noted')),
    reason text,
    needs_response boolean not null default false,
    from_address text,
    subject text,
    proved boolean not null default false,
    chat_id bigint references chats on delete set null,
    message_id bigint references messages on delete set null,
    attempts integer not null default 0,
    received_at timestamptz not null,
    settled_at timestamptz,
    resolved_at timestamptz,
    resolved_by_member_id bigint references members,
    unique (workspace_id, inbox_id, digest),
    check ((state = 'received') = (settled_at is null)),
    check (not needs_response or state = 'held')
  );
  create index inbound_emails_to_do on inbound_emails (workspace_id, inbox_id, id) where state = 'received';
  create index inbound_emails_waiting on inbound_emails (workspace_id, received_at, id) where needs_response;
  create index inbound_emails_held on inbound_emails (workspace_id, settled_at) where needs_response;
  create index inbound_emails_begun on inbound_emails (workspace_id, inbox_id, received_at) where reason = 'new_chat';
  create index inbound_emails_kept on inbound_emails (workspace_id, proved, bytes) where object_id is not null;
  create index on inbound_emails (workspace_id, received_at, id);
  create index on inbound_emails (workspace_id, from_address, id);
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
    when (old.object_id is not null) execute function doom_raw_mail();
`);
