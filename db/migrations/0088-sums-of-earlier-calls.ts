import type { Knex } from 'knex';

const sums = `count(*), sum(prompt_tokens), sum(completion_tokens), sum(cached_tokens), sum(total_tokens), sum(credits)`;
const summed = 'calls, prompt_tokens, completion_tokens, cached_tokens, total_tokens, credits';

/**
 * Sums what was booked before, with the time zone of now; UTC where PostgreSQL does not know it. In a transaction of its own,
 * so that calls can be read and booked meanwhile. Sums that are there stay: only a release that keeps them writes them.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create temporary table booked on commit drop as
      select u.*, to_char(u.created_at at time zone coalesce(z.name, 'UTC'), 'YYYY-MM-DD') as day,
        c.member_id, c.definition_id
      from token_usage u
      join chats c on c.workspace_id = u.workspace_id and c.id = u.chat_id
      join identity.workspaces w on w.id = u.workspace_id
      left join pg_timezone_names z on z.name = w.timezone
      where not exists (select from credit_months m where m.workspace_id = u.workspace_id);
    insert into usage_days (workspace_id, day, definition_id, model_id, ${summed})
      select workspace_id, day, definition_id, model_id, ${sums} from booked group by 1, 2, 3, 4;
    insert into member_usage_months (workspace_id, month, member_id, ${summed})
      select workspace_id, left(day, 7), member_id, ${sums} from booked group by 1, 2, 3;
    insert into credit_months (workspace_id, month, credits)
      select workspace_id, left(day, 7), sum(credits) from booked group by 1, 2;
  `);
}

export async function down(): Promise<void> {
  // The sums go with their tables.
}
