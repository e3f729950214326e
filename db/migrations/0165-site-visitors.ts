import type { Knex } from 'knex';

/**
 * Visitors of sites who chat without signing in, by the tokens of their browsers
 * (docs/decisions/0194-visitors-are-members-that-are-nobody.md). They have no member before their first message.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table identity.site_visitors (
      id bigint generated always as identity primary key,
      hash bytea not null unique,
      workspace_id bigint not null references identity.workspaces (id),
      site_id bigint not null,
      member_id bigint,
      chat_id bigint,
      -- Of a visitor who has signed up: the session that the token ends with.
      session_id bigint references identity.sessions (id) on delete cascade,
      created_at timestamptz not null,
      last_used_at timestamptz not null,
      expires_at timestamptz not null,
      ended_at timestamptz,
      check (chat_id is null or member_id is not null)
    );
    create index site_visitors_of_members on identity.site_visitors (workspace_id, member_id)
      where member_id is not null;
    create index site_visitors_of_sites on identity.site_visitors (workspace_id, site_id);
    create index site_visitors_of_sessions on identity.site_visitors (session_id) where session_id is not null;
    create index site_visitors_expired on identity.site_visitors (expires_at);
    grant select, insert, update, delete on identity.site_visitors to wes_app;

    alter table sites
      add column chat_greeting text,
      add column visitor_chats_per_day integer not null default 200 check (visitor_chats_per_day >= 0);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table sites drop column chat_greeting, drop column visitor_chats_per_day;
    drop table identity.site_visitors;
  `);
}
