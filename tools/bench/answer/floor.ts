import { inWorkspace } from '../support/floor-transaction.js';
import { runFloorWorker } from '../support/floor-worker.js';

/*
 * The floor of an answer: on a signal, a run calls the model in one activity and stores its reply in another, without
 * history, prompt, tools or the check for newer messages.
 */

async function askModel(): Promise<string> {
  const response = await fetch(`${process.env.OPENAI_BASE_URL}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${process.env.OPENAI_API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'simulated-chat', messages: [{ role: 'user', content: 'Hello' }] }),
  });
  const { choices } = (await response.json()) as { choices: [{ message: { content: string } }] };
  return choices[0].message.content;
}

async function storeReply(
  { workspaceId, chatId }: { workspaceId: number; chatId: number },
  content: string,
): Promise<void> {
  const sql = `insert into messages (workspace_id, chat_id, role, content) values ($1, $2, 'assistant', $3)`;
  const values = [workspaceId, chatId, JSON.stringify(content)];
  await inWorkspace(workspaceId, (client) => client.query(sql, values));
}

await runFloorWorker(new URL('./floor-workflow.ts', import.meta.url), { askModel, storeReply });
