import type { Knex } from 'knex';
import { tenantKey } from './tenant-table.js';

const kinds = ['member', 'chat', 'file'];

const keyOf = (kind: string) => `${kind}_label_links_workspace_id_${kind}_label_id_fkey`;

/**
 * The links of a deleted label stay for a while, unseen, and are removed by and by: their foreign key, which
 * removed them all at once, is replaced by a look at the label when one is made. Links of chats are found in
 * order of chats.
 */
export async function up(knex: Knex): Promise<void> {
  for (const kind of kinds) {
    await knex.raw(`
      create function ${kind}_label_exists() returns trigger language plpgsql as $$
      begin
        perform from ${kind}_labels
        where workspace_id = new.workspace_id and id = new.${kind}_label_id for key share;
        if not found then
          raise foreign_key_violation using message = 'the label does not exist', table = tg_table_name;
        end if;
        return null;
      end $$;
      create trigger label_exists after insert or update on ${kind}_label_links
        for each row execute function ${kind}_label_exists();
      alter table ${kind}_label_links drop constraint ${keyOf(kind)};
    `);
  }
  await knex.raw(`
    create index on chat_label_links (workspace_id, chat_label_id, chat_id);
    drop index chat_label_links_workspace_id_chat_label_id_idx;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create index on chat_label_links (workspace_id, chat_label_id);
    drop index chat_label_links_workspace_id_chat_label_id_chat_id_idx;
  `);
  for (const kind of kinds) {
    await knex.raw(`
      delete from ${kind}_label_links link where not exists (
        select from ${kind}_labels label
        where label.workspace_id = link.workspace_id and label.id = link.${kind}_label_id);
      alter table ${kind}_label_links add constraint ${keyOf(kind)}
        ${tenantKey(`${kind}_label_id`, `${kind}_labels`, 'on delete cascade')};
      drop trigger label_exists on ${kind}_label_links;
      drop function ${kind}_label_exists();
    `);
  }
}
