import type { Knex } from 'knex';

/**
 * Customers of the payment processor belong to one account each, and where an account has first come from
 * (docs/decisions/0167-accounts-pictures-customers-and-first-touches.md).
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create unique index accounts_payment_customer_key on identity.accounts (payment_customer_id)
      where payment_customer_id is not null;

    create table identity.account_acquisitions (
      id bigint generated always as identity primary key,
      account_id bigint not null unique references identity.accounts (id) on delete cascade,
      touch jsonb not null,
      recorded_at timestamptz not null
    );
    grant select, insert, delete on identity.account_acquisitions to wes_app;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table identity.account_acquisitions;
    drop index identity.accounts_payment_customer_key;
  `);
}
