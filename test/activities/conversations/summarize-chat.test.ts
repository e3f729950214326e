import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { summaryActivities } from '../../../activities/conversations/summarize-chat.js';
import { defaultAgentBudgets } from '../../../domain/kernel/agent-budgets.js';
import { ModelBusy } from '../../../providers/model/chat-model.js';
import { stageFreeChat } from '../../support/chats/free-chat.js';
import { queryOnce } from '../../support/db/connect.js';
import { createWorkspace } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const suite = useWorkspace();

/** A summary for which the model gives no answer; returns how often it was asked, and what is booked. */
async function fail({ cancelled }: { cancelled: boolean }) {
  const workspace = await createWorkspace(suite.database.database);
  const { workspaceId } = workspace;
  const chat = await stageFreeChat(workspace);
  await chat.memberWrites('Hello?');
  let calls = 0;
  const complete = () => {
    calls += 1;
    return Promise.reject(new ModelBusy('timeout'));
  };
  const { summarizeChat } = summaryActivities({
    ...chat.context,
    agentBudgets: defaultAgentBudgets,
    logger: pino({ level: 'silent' }),
    model: { complete },
  });
  const environment = new MockActivityEnvironment();
  const ref = { workspaceId, chatId: chat.chatId, requestUuid: randomUUID(), updateLabels: false };

  const summary = environment.run(() => summarizeChat(ref));
  if (cancelled) environment.cancel();
  await expect(summary).rejects.toThrow();

  const count = async (table: string) =>
    (
      await queryOnce(suite.database.superuserUrl, `select id from ${table} where workspace_id = $1`, [
        workspaceId,
      ])
    ).length;
  return { calls, booked: await count('token_usage'), open: await count('open_model_calls') };
}

describe('the call of the model for a summary that fails', () => {
  it('is booked if its request was sent', async () => {
    expect(await fail({ cancelled: false })).toEqual({ calls: 1, booked: 1, open: 0 });
  });

  it('costs nothing if it was cancelled before', async () => {
    expect(await fail({ cancelled: true })).toEqual({ calls: 0, booked: 0, open: 0 });
  });
});
