import type { Knex } from 'knex';

/** `\p{Default_Ignorable_Code_Point}`, which is not seen. */
const unseen = String.raw`[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]`;
const spaces = String.raw`[\u0009-\u000d\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]`;
const plain = `btrim(regexp_replace(regexp_replace(normalize(external_id, nfc), '${unseen}', '', 'g'), '${spaces}', ' ', 'g'))`;

/** By which an external id is unique. */
const tables = [
  { table: 'members', within: 'workspace_id', among: 'deleted_at is null' },
  { table: 'data_records', within: 'data_type_id', among: 'true' },
  { table: 'files', within: 'workspace_id', among: 'true' },
];

/**
 * External ids of earlier versions take the form in which they are compared now (docs/decisions/0237). Of those that look
 * the same, the oldest takes it unless another has it; the others stay as they are, and are found by their own id.
 */
export async function up(knex: Knex): Promise<void> {
  for (const { table, within, among } of tables) {
    await knex.raw(
      `update ${table} as kept set external_id = first.plain
       from (
         select distinct on (${within}, plain) id, ${within}, plain
         from (select id, ${within}, external_id, ${plain} as plain from ${table}
               where ${among} and external_id ~ ?) as candidate
         where plain <> external_id and plain <> ''
         order by ${within}, plain, id
       ) as first
       where kept.id = first.id and not exists (
         select from ${table} as other
         where other.${within} = first.${within} and other.external_id = first.plain and ${among})`,
      [String.raw`^\s|\s$|[^ -~]`],
    );
  }
}

export async function down(): Promise<void> {
  // The form of before is not known any more, and the earlier version takes this one for any other.
}
