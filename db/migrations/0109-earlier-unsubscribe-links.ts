import type { Knex } from 'knex';
import { digest, digestOfOptOut, triggersOfLinks } from './0106-unsubscribe-links.js';

/**
 * Fills in the links of emails that are younger than links have to work, and the digests of opt-outs, from before migration
 * 0106. It takes no lock for which senders of email wait; opt-outs cannot be written meanwhile. An earlier form of 0106 has
 * filled them in itself, and had no triggers on emails.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    do $do$ begin
      if not exists (select from pg_trigger where tgname = 'note_unsubscribe_link') then ${triggersOfLinks} end if;
    end $do$;
    insert into unsubscribe_links (workspace_id, token, recipient_digest, from_name, created_at)
      select workspace_id, unsubscribe_token, ${digest('workspace_id', 'to_address')}, from_name, created_at
      from emails
      where unsubscribe_token is not null and tokens_revoked_at is null and created_at > now() - interval '60 days'
      on conflict (token) do nothing;
    lock table email_opt_outs in share row exclusive mode;
    update email_opt_outs o set recipient_digest = ${digestOfOptOut('o')} where recipient_digest is null;
    create index if not exists email_opt_outs_workspace_id_recipient_digest_idx
      on email_opt_outs (workspace_id, recipient_digest);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index if exists email_opt_outs_workspace_id_recipient_digest_idx');
}
