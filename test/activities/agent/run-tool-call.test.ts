import { MockActivityEnvironment } from '@temporalio/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { runToolCall } from '../../../activities/agent/run-tool-call.js';
import { updateWorkspace } from '../../../domain/identity/workspaces/update-workspace.js';
import type { HttpRequest } from '../../../domain/kernel/ability-configs.js';
import type { RequestOutcome, ServiceRequest } from '../../../providers/requests/request-sender.js';
import { call, Turn, toolResult } from '../../domain/agent/take-round.js';
import { stageAssignment } from '../../support/chats/staged-assignment.js';
import { testEncryption } from '../../support/lib/encryption.js';
import { testRequests } from '../../support/lib/requests.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const suite = useWorkspace();
beforeAll(async () => {
  const context = { ...suite.workspace.context(suite.workspace.admin), policy: { localHttpOrigins: false } };
  await updateWorkspace(context, { requestHosts: ['api.example.com'] });
});

const ok: RequestOutcome = {
  kind: 'answered',
  status: 200,
  contentType: undefined,
  body: 'yes',
  isComplete: true,
  isEncoded: false,
};
const busy: RequestOutcome = {
  kind: 'answered',
  status: 503,
  contentType: undefined,
  body: 'later',
  isComplete: true,
  isEncoded: false,
};
const lost: RequestOutcome = { kind: 'failed', code: 'timeout', mayHaveArrived: true };

/** Runs a tool call whose service behaves so. @returns what was sent, and the result of the call */
async function run(outcomes: (RequestOutcome | Error)[], more: Partial<HttpRequest> = {}) {
  const request = { name: 'book', description: 'Books.', method: 'POST', url: 'https://api.example.com/v1' };
  const staged = await stageAssignment(suite.workspace, {
    name: 'Talk',
    taskType: 'conversation',
    prompt: 'Talk.',
    abilities: [
      { abilityType: 'http_request', config: { requests: [{ ...request, ...more }] } },
      { abilityType: 'handoff' },
    ],
  });
  const round = await new Turn(staged).take(call(['book', {}]));
  const toolCallId = round.kind === 'tools' ? (round.toolCallIds[0] ?? '') : '';
  const sent: ServiceRequest[] = [];
  const sender = {
    send: async (one: ServiceRequest) => {
      sent.push(one);
      const outcome = outcomes[sent.length - 1] ?? ok;
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
    close: () => undefined,
  };
  const { workspaceId, chatId, context } = staged;
  const dependencies = { ...context, requests: { ...testRequests(), sender, encryption: testEncryption } };
  const attempt = () =>
    new MockActivityEnvironment().run(() => runToolCall(dependencies, { workspaceId, chatId, toolCallId }));
  const outcome = await attempt().catch((error: Error) => error);
  return { sent, outcome, attempt, result: () => toolResult(staged, toolCallId) };
}

describe('runToolCall', () => {
  it('sends a request once, whatever its outcome', async () => {
    for (const outcome of [ok, busy, lost]) expect((await run([outcome, ok])).sent).toHaveLength(1);
  });

  it('sends an idempotent request up to three times with the same key, until it is answered', async () => {
    const { sent, result } = await run([busy, lost, ok], { idempotent: true });
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map(({ headers }) => headers['Idempotency-Key'])).size).toBe(1);
    expect(await result()).toMatchObject({ ok: true, body: 'yes' });
  });

  it('sends nothing again in the next attempt of a worker that died', async () => {
    const { sent, outcome, attempt, result } = await run([new Error('the process dies')]);
    expect(outcome).toBeInstanceOf(Error);
    expect(await result()).toBeUndefined();

    await attempt();

    expect(sent).toHaveLength(1);
    expect(await result()).toMatchObject({ ok: false, error: 'request_outcome_unknown' });
  });

  it('sends an idempotent request again with the same key in the next attempt', async () => {
    const { sent, attempt, result } = await run([new Error('the process dies')], { idempotent: true });
    await attempt();
    expect(sent).toHaveLength(2);
    expect(sent[0]?.headers['Idempotency-Key']).toBe(sent[1]?.headers['Idempotency-Key']);
    expect(await result()).toMatchObject({ ok: true });
  });
});
