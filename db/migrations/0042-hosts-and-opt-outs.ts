import type { Knex } from 'knex';
import { tenantKey, tenantTable } from './tenant-table.js';

/**
 * The host of a stored URL, which is in the canonical spelling of the URL standard; for an IPv6 address with its
 * brackets.
 */
const hostOf = (url: string) => `substring(${url} from '^[a-z]+://(\\[[^]]*\\]|[^/:]+)')`;

/**
 * The hosts that webhooks go to, and which of them have answered a workspace; the phone numbers that get no login codes
 * (docs/decisions/0078-what-reaches-strangers.md).
 *
 * A trigger determines the host of a new URL, so that the previous release can still add URLs. Attempts of that release
 * name no host and do not count towards its capacity, for the duration of a deploy. `webhook_attempts.webhook_host_id`
 * has no foreign key: it copies what the attempt's URL refers to, and a key would cost each attempt a look-up.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ${tenantTable(
      'webhook_hosts',
      `host text not null,
       answered_at timestamptz,
       failures integer not null default 0,
       next_try_at timestamptz,
       created_at timestamptz not null default now(),
       unique (workspace_id, host)`,
    )}
    alter table webhook_endpoints add column webhook_host_id bigint;
    alter table webhook_attempts add column webhook_host_id bigint;

    insert into webhook_hosts (workspace_id, host, created_at, answered_at)
    select e.workspace_id, ${hostOf('e.url')}, min(e.created_at), min(taken.at)
    from webhook_endpoints e
    left join lateral (
      select a.finished_at as at from webhook_attempts a
      where a.workspace_id = e.workspace_id and a.webhook_endpoint_id = e.id and a.status_code between 200 and 299
      limit 1
    ) taken on true
    group by 1, 2;
    update webhook_endpoints e set webhook_host_id = h.id
    from webhook_hosts h where h.workspace_id = e.workspace_id and h.host = ${hostOf('e.url')};
    update webhook_attempts a set webhook_host_id = e.webhook_host_id
    from webhook_endpoints e
    where a.finished_at is null and e.workspace_id = a.workspace_id and e.id = a.webhook_endpoint_id;

    create function find_webhook_host() returns trigger language plpgsql as $$
    begin
      while new.webhook_host_id is null loop
        select id into new.webhook_host_id from webhook_hosts
        where workspace_id = new.workspace_id and host = ${hostOf('new.url')} for key share;
        if not found then
          insert into webhook_hosts (workspace_id, host, created_at)
          values (new.workspace_id, ${hostOf('new.url')}, new.created_at) on conflict do nothing;
        end if;
      end loop;
      return new;
    end $$;
    create trigger find_host before insert on webhook_endpoints
      for each row execute function find_webhook_host();
    alter table webhook_endpoints
      alter column webhook_host_id set not null,
      add constraint webhook_endpoints_host ${tenantKey('webhook_host_id', 'webhook_hosts')};
    create index on webhook_endpoints (workspace_id, webhook_host_id);
    create index webhook_attempts_under_way
      on webhook_attempts (workspace_id, webhook_host_id) where finished_at is null;
    create index on event_rule_notices (workspace_id, member_id, claimed_at);

    create table identity.code_opt_outs (
      sender text not null,
      recipient text not null,
      opted_out_at timestamptz,
      heard_at timestamptz not null,
      primary key (sender, recipient)
    );
    grant select, insert, update on identity.code_opt_outs to wes_app;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table identity.code_opt_outs;
    drop index event_rule_notices_workspace_id_member_id_claimed_at_idx;
    drop index webhook_attempts_under_way;
    drop trigger find_host on webhook_endpoints;
    drop function find_webhook_host();
    alter table webhook_attempts drop column webhook_host_id;
    alter table webhook_endpoints drop column webhook_host_id;
    drop table webhook_hosts;
  `);
}
