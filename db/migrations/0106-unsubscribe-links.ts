import type { Knex } from 'knex';
import { tenantTable } from './tenant-table.js';

/**
 * The links of emails by which people unsubscribe, which have to work when the email itself is deleted
 * (docs/decisions/0143-unsubscribe-links-outlive-emails.md). They name the address by its digest, and so do opt-outs from
 * now on. Triggers write both, for processes of the release before as well. What was stored before is filled in by migration
 * 0109, so that this one locks the tables for a moment only.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    [
      tenantTable(
        'unsubscribe_links',
        `token text not null unique,
         recipient_digest text not null,
         from_name text not null,
         created_at timestamptz not null`,
        'select, insert, delete',
      ),
      `create index on unsubscribe_links (workspace_id, created_at);`,
      triggersOfLinks,
      `alter table email_opt_outs add column recipient_digest text;
       create function digest_opt_out() returns trigger language plpgsql as $$
       begin
         new.recipient_digest := ${digestOfOptOut('new')};
         return new;
       end $$;
       create trigger digest_opt_out before insert on email_opt_outs for each row execute function digest_opt_out();`,
    ].join('\n'),
  );
}

/** A revoked link is deleted, so that it stays revoked when its email is deleted. */
export const triggersOfLinks = `
  create function note_unsubscribe_link() returns trigger language plpgsql as $$
  begin
    insert into unsubscribe_links (workspace_id, token, recipient_digest, from_name, created_at)
    values (new.workspace_id, new.unsubscribe_token, ${digest('new.workspace_id', 'new.to_address')}, new.from_name,
      new.created_at)
    on conflict (token) do nothing;
    return null;
  end $$;
  create function revoke_unsubscribe_link() returns trigger language plpgsql as $$
  begin
    delete from unsubscribe_links where workspace_id = new.workspace_id and token = new.unsubscribe_token;
    return null;
  end $$;
  create trigger note_unsubscribe_link after insert on emails for each row
    when (new.unsubscribe_token is not null) execute function note_unsubscribe_link();
  create trigger revoke_unsubscribe_link after update of tokens_revoked_at on emails for each row
    when (new.tokens_revoked_at is not null) execute function revoke_unsubscribe_link();
`;

/** The digest of the address of an opt-out, which is a digest itself where its member is erased. */
export function digestOfOptOut(row: string): string {
  return `case when position('@' in ${row}.recipient) = 0 then ${row}.recipient
    else ${digest(`${row}.workspace_id`, `${row}.recipient`)} end`;
}

/** As `digestOf` of db/channels/recipient-digest.ts. */
export function digest(workspaceId: string, column: string): string {
  return `'sha256:' || encode(sha256(convert_to(${workspaceId} || ':' || ${column}, 'UTF8')), 'hex')`;
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger if exists note_unsubscribe_link on emails;
    drop trigger if exists revoke_unsubscribe_link on emails;
    drop function if exists note_unsubscribe_link, revoke_unsubscribe_link;
    drop trigger digest_opt_out on email_opt_outs;
    drop function digest_opt_out;
    alter table email_opt_outs drop column recipient_digest;
    drop table unsubscribe_links;
  `);
}
