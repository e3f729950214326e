import type { Knex } from 'knex';
import { tenantKey, tenantTable } from './tenant-table.js';

/**
 * Who has opted out of what, when, in which words and by which way. The one of calls is in force until it is lifted; of SMS
 * and email, `sms_opt_outs`, `members` and `email_opt_outs` say so. One message may confirm an opt-out of SMS.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    tenantTable(
      'opt_out_proofs',
      `member_id bigint,
       recipient text,
       channel text not null check (channel in ('sms', 'email', 'calls')),
       source text not null,
       heard_on text,
       words text,
       by_member_id bigint,
       opted_out_at timestamptz not null,
       lifted_at timestamptz,
       ${tenantKey('member_id', 'members')}`,
    ),
  );
  await knex.raw(`
    create index opt_out_proofs_member on opt_out_proofs (workspace_id, member_id, id);
    create index opt_out_proofs_recipient on opt_out_proofs (workspace_id, recipient) where lifted_at is null;
    alter table deliveries drop constraint deliveries_purpose_check;
    alter table deliveries add constraint deliveries_purpose_check
      check (purpose in ('reply', 'agent_initiated', 'task', 'opt_out_confirmation')) not valid;`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table opt_out_proofs;
    update deliveries set purpose = 'reply' where purpose = 'opt_out_confirmation';
    alter table deliveries drop constraint deliveries_purpose_check;
    alter table deliveries add constraint deliveries_purpose_check
      check (purpose in ('reply', 'agent_initiated', 'task')) not valid;`);
}
