import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { summaryActivities } from '../../../activities/conversations/summarize-chat.js';
import { findLatestBridge, patchCallBridge } from '../../../db/calls/call-bridges.js';
import { defaultAgentBudgets } from '../../../domain/kernel/agent-budgets.js';
import { type ChatModel, ModelBusy } from '../../../providers/model/chat-model.js';
import { usage } from '../../domain/agent/take-round.js';
import { stageCall } from '../../support/calls/staged-call.js';
import { stageFreeChat } from '../../support/chats/free-chat.js';
import { queryOnce } from '../../support/db/connect.js';
import { MovedClock } from '../../support/lib/moved-clock.js';
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

describe('the summary of a call that has ended', () => {
  /** A call that a process still holds, as its carrier reports the end. */
  async function endedCall() {
    const chat = await stageFreeChat(suite.workspace);
    const call = await stageCall(suite.workspace, new MovedClock(), chat.chatId);
    await call.advance();
    await call.reports({ status: 'in-progress' });
    await call.bridge({});
    await call.reports({ status: 'completed' });
    const { workspaceId } = suite.workspace;
    const { uuid: requestUuid } = await call.row();
    const ref = { workspaceId, chatId: chat.chatId, requestUuid, updateLabels: false };
    const asked: string[] = [];
    const complete: ChatModel['complete'] = async ({ messages }) => {
      asked.push(JSON.stringify(messages));
      const text = JSON.stringify({ title: 'Visit', summary: 'They come.' });
      return {
        model: 'gpt-4.1-mini',
        content: null,
        toolCalls: [{ id: 'theirs', name: 'write_summary', arguments: text }],
        usage,
      };
    };
    const { summarizeChat } = summaryActivities({
      ...chat.context,
      agentBudgets: defaultAgentBudgets,
      logger: pino({ level: 'silent' }),
      model: { complete },
    });
    /** The process gives the call back. */
    const letGo = () =>
      call.inCall(async (tx) => {
        const bridge = await findLatestBridge(tx, call.callId);
        await patchCallBridge(tx, bridge?.id ?? 0, { endedAt: new Date(), endReason: 'caller_left' });
      });
    const summarize = () => new MockActivityEnvironment().run(() => summarizeChat(ref));
    const runs = () =>
      call.inCall((tx) => tx('outbox').where({ subject: requestUuid, run_type: 'summarizeChat' }));
    return { asked, call, letGo, summarize, runs };
  }

  it('has the words that were stored after the report of the end', async () => {
    const { asked, call, letGo, summarize, runs } = await endedCall();
    expect(await runs()).toHaveLength(1);
    const summary = summarize();
    await call.says('I come at noon.');
    await letGo();

    expect(await summary).toEqual({ outcome: 'summarized' });
    expect(asked).toEqual([expect.stringContaining('I come at noon.')]);
  });

  it('is not written if the other side has said nothing', async () => {
    const { asked, letGo, summarize } = await endedCall();
    await letGo();

    expect(await summarize()).toEqual({ outcome: 'nothing_said' });
    expect(asked).toEqual([]);
  });
});

describe('the call of the model for a summary that fails', () => {
  it('is booked if its request was sent', async () => {
    expect(await fail({ cancelled: false })).toEqual({ calls: 1, booked: 1, open: 0 });
  });

  it('costs nothing if it was cancelled before', async () => {
    expect(await fail({ cancelled: true })).toEqual({ calls: 0, booked: 0, open: 0 });
  });
});
