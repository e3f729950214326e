import type { Knex } from 'knex';
import { tenantTable } from './tenant-table.js';

/**
 * The links of emails by which people unsubscribe, which have to work when the email itself is deleted
 * (docs/decisions/0143-unsubscribe-links-outlive-emails.md). They name the address by its digest, and so do opt-outs from
 * now on; the trigger fills it in for processes of the release before as well.
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
      `create index on unsubscribe_links (workspace_id, created_at);
       insert into unsubscribe_links (workspace_id, token, recipient_digest, from_name, created_at)
         select workspace_id, unsubscribe_token, ${digest('workspace_id', 'to_address')}, from_name, created_at
         from emails where unsubscribe_token is not null;
       alter table email_opt_outs add column recipient_digest text;
       create function digest_opt_out() returns trigger language plpgsql as $$
       begin
         new.recipient_digest := case when position('@' in new.recipient) = 0 then new.recipient
           else ${digest('new.workspace_id', 'new.recipient')} end;
         return new;
       end $$;
       create trigger digest_opt_out before insert on email_opt_outs for each row execute function digest_opt_out();
       update email_opt_outs set recipient_digest = case when position('@' in recipient) = 0 then recipient
         else ${digest('workspace_id', 'recipient')} end;
       alter table email_opt_outs alter column recipient_digest set not null;
       create index on email_opt_outs (workspace_id, recipient_digest);`,
    ].join('\n'),
  );
}

/** As `digestOf` of db/channels/recipient-digest.ts. */
function digest(workspaceId: string, column: string): string {
  return `'sha256:' || encode(sha256(convert_to(${workspaceId} || ':' || ${column}, 'UTF8')), 'hex')`;
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger digest_opt_out on email_opt_outs;
    drop function digest_opt_out;
    alter table email_opt_outs drop column recipient_digest;
    drop table unsubscribe_links;
  `);
}
