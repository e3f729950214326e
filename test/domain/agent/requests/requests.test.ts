import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { findToolRequest, insertToolRequest } from '../../../../db/agent/tool-requests.js';
import { selectSecrets } from '../../../../db/definitions/secrets.js';
import type { ClaimedRequest } from '../../../../domain/agent/requests/claim-request.js';
import type { RequestAnswer } from '../../../../domain/agent/requests/request-answer.js';
import { beginToolCall, recordRequest, runTool } from '../../../../domain/agent/tool-calls/run-tool.js';
import { updateChat } from '../../../../domain/conversations/chats/update-chat.js';
import type { RevisionTask } from '../../../../domain/definitions/revision-rules/types.js';
import { createSecret, deleteSecret, updateSecret } from '../../../../domain/definitions/secrets/secrets.js';
import { updateWorkspace } from '../../../../domain/identity/workspaces/update-workspace.js';
import type { HttpRequest } from '../../../../domain/kernel/ability-configs.js';
import { defaultAgentBudgets } from '../../../../domain/kernel/agent-budgets.js';
import { type StagedAssignment, stageAssignment } from '../../../support/chats/staged-assignment.js';
import { testEncryption } from '../../../support/lib/encryption.js';
import { proveEmail } from '../../../support/workspace/prove-email.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';
import { call, Turn, toolResult } from '../take-round.js';

const suite = useWorkspace();
const value = 'sesame-open-0001';
const hosts = ['api.example.com'];
let secretId: number;
beforeAll(async () => {
  await proveEmail(suite.workspace, suite.workspace.admin.memberId);
  const admin = { ...suite.workspace.context(suite.workspace.admin), encryption: testEncryption };
  const policy = { localHttpOrigins: false };
  await updateWorkspace({ ...admin, policy }, { requestHosts: hosts });
  ({ id: secretId } = await createSecret(admin, { name: 'token', value, hosts }));
});

const request: HttpRequest = {
  name: 'find_times',
  description: 'Finds free times.',
  method: 'POST',
  url: 'https://api.example.com/v1/{day}',
  parameters: {
    type: 'object',
    properties: { day: { type: 'string', maxLength: 20 }, note: { type: 'string' } },
    required: ['day'],
  },
  headers: [{ name: 'Authorization', secret: 'token', prefix: 'Bearer ' }],
};
const talk = (more: Partial<HttpRequest> = {}): RevisionTask => ({
  name: 'Talk',
  taskType: 'conversation',
  prompt: 'Talk.',
  abilities: [
    { abilityType: 'http_request', config: { requests: [{ ...request, ...more }] } },
    { abilityType: 'handoff' },
  ],
});

/** A turn that has called the tool, which is not run. */
async function stage(more: Partial<HttpRequest> = {}, input: object = { day: 'monday', note: 'knee' }) {
  const staged = await stageAssignment(suite.workspace, talk(more));
  const turn = new Turn(staged);
  const result = await turn.take(call(['find_times', input]));
  if (result.kind !== 'tools') throw new Error('no tool is called');
  const [toolCallId = ''] = result.toolCallIds;
  return { staged, turn, toolCallId, ref: refOf(staged, toolCallId), context: contextOf(staged) };
}

const refOf = ({ workspaceId, chatId }: StagedAssignment, toolCallId: string) => ({
  workspaceId,
  chatId,
  toolCallId,
});
const contextOf = ({ context }: StagedAssignment, budgets = {}) => ({
  ...context,
  encryption: testEncryption,
  agentBudgets: { ...defaultAgentBudgets, ...budgets },
});
const answered = (status = 200, body = '{"times":["9:00"]}'): RequestAnswer => ({
  kind: 'answered',
  status,
  contentType: 'application/json',
  body,
});
type Begun = Awaited<ReturnType<typeof stage>>;

/** Runs a call with this answer. @returns what was sent, and what the model is told */
async function run({ staged, context, ref, toolCallId }: Begun, answer = answered()) {
  const sent: ClaimedRequest[] = [];
  const outcome = await runTool(context, ref, async (claimed) => {
    if (!('request' in claimed)) throw new Error('a remote tool is called');
    sent.push(claimed);
    return answer;
  });
  return { sent, outcome, result: await toolResult(staged, toolCallId) };
}

async function claim({ context, ref }: Begun, token = randomUUID()): Promise<ClaimedRequest> {
  const begun = await beginToolCall(context, ref, token);
  if (begun.kind !== 'claimed' || !('request' in begun)) throw new Error('no request is claimed');
  return begun;
}

const inWorkspace = <T>(work: Parameters<typeof suite.workspace.database.inWorkspace<T>>[1]) =>
  suite.workspace.database.inWorkspace(suite.workspace.workspaceId, work);

describe('a request of the agent', () => {
  it('has the name of its ability in the run, not the one that its author gave it', async () => {
    const staged = await stageAssignment(suite.workspace, talk());
    const turn = new Turn(staged);
    const result = await turn.take(call(['find_times', { day: 'monday' }], ['find_robin_sample', {}]));
    expect(result).toMatchObject({ toolNames: ['http_request', 'unknown_tool'] });
  });

  it('is sent once with its secret, and its answer is told to the model as data', async () => {
    const begun = await stage();
    const { sent, result, outcome } = await run(begun);
    const again = await run(begun);

    expect(
      sent.map(({ request: { method, url, headers, body } }) => ({ method, url, headers, body })),
    ).toEqual([
      {
        method: 'POST',
        url: 'https://api.example.com/v1/monday',
        headers: { Authorization: `Bearer ${value}` },
        body: '{"note":"knee"}',
      },
    ]);
    expect(result).toMatchObject({ ok: true, status: 200, body: { times: ['9:00'] } });
    expect(outcome).toEqual({ endsTurn: false, taskName: 'Talk' });
    expect(again.sent).toEqual([]);
  });

  it('is offered to the model without its address, headers and secrets', async () => {
    const staged = await stageAssignment(suite.workspace, talk());
    const asked = await new Turn(staged).ask();
    const tool = asked.tools.find(({ name }) => name === 'find_times');
    expect(Object.keys(tool ?? {})).toEqual(['name', 'description', 'parameters']);
    expect(JSON.stringify(asked.tools)).not.toContain('example.com');
  });

  it('leaves the secret in no message, also where the service echoes it', async () => {
    const begun = await stage();
    await run(begun, answered(500, `{"headers":{"authorization":"Bearer ${value}"}}`));
    const stored = JSON.stringify(await begun.staged.messages());
    expect(stored).not.toContain(value);
    expect(stored).toContain('[secret]');
  });

  it.each([
    ['leaves its segment', { day: '../admin' }],
    ['is too long', { day: 'x'.repeat(21) }],
    ['is of another type', { day: 7 }],
    ['is missing', {}],
    ['is unknown', { day: 'monday', host: 'evil.example' }],
  ])('is not sent with an argument that %s', async (_, input) => {
    const { sent, result } = await run(await stage({}, input));
    expect(sent).toEqual([]);
    expect(result).toMatchObject({ ok: false, error: 'invalid_arguments' });
  });

  it('is not sent to a host that the workspace does not allow, nor with a secret for other hosts', async () => {
    for (const more of [
      { url: 'https://b.example.com/{day}', headers: [] },
      { headers: [{ name: 'Authorization', secret: 'missing' }] },
    ]) {
      const { sent, result } = await run(await stage(more));
      expect(sent).toEqual([]);
      expect(result).toEqual({ ok: false, error: 'request_not_configured' });
    }
  });

  it('is not sent once the secret is deleted', async () => {
    const admin = { ...suite.workspace.context(suite.workspace.admin), encryption: testEncryption };
    const { id } = await createSecret(admin, { name: 'short_lived', value, hosts });
    const begun = await stage({ headers: [{ name: 'Authorization', secret: 'short_lived' }] });
    await deleteSecret(admin, id);
    expect((await run(begun)).result).toEqual({ ok: false, error: 'request_not_configured' });
  });

  it('is not sent in a chat that a colleague has taken over', async () => {
    const begun = await stage();
    await updateChat(suite.workspace.context(suite.workspace.admin), begun.staged.chatId, { paused: true });
    const { sent, result } = await run(begun);
    expect(sent).toEqual([]);
    expect(result).toEqual({ ok: false, error: 'overtaken' });
  });

  it('is told to the model if a colleague takes the chat over meanwhile', async () => {
    const begun = await stage();
    const claimed = await claim(begun);
    await updateChat(suite.workspace.context(suite.workspace.admin), begun.staged.chatId, { paused: true });
    const outcome = await recordRequest(begun.context, begun.ref, claimed, answered());
    expect(outcome).toMatchObject({ endsTurn: true });
    expect(await toolResult(begun.staged, begun.toolCallId)).toMatchObject({ ok: true, status: 200 });
  });
});

describe('a request whose process died', () => {
  it('is not repeated: its outcome is unknown, also if the answer comes late', async () => {
    const begun = await stage();
    const claimed = await claim(begun);
    const second = await run(begun);
    await recordRequest(begun.context, begun.ref, claimed, answered());

    expect(second.sent).toEqual([]);
    expect(second.result).toMatchObject({ ok: false, error: 'request_outcome_unknown' });
    expect(await toolResult(begun.staged, begun.toolCallId)).toEqual(second.result);
  });

  it.each([{}, { idempotent: true }])(
    'is unknown, and not refused, if the chat was taken over meanwhile: %j',
    async (more) => {
      const begun = await stage(more);
      await claim(begun);
      const colleague = suite.workspace.context(suite.workspace.admin);
      await updateChat(colleague, begun.staged.chatId, { paused: true });
      const { sent, result } = await run(begun);
      expect(sent).toEqual([]);
      expect(result).toMatchObject({ error: 'request_outcome_unknown' });
      const row = await inWorkspace((tx) => findToolRequest(tx, begun.staged.chatId, begun.toolCallId));
      expect(row).toMatchObject({ failureCode: 'lost', settledAt: expect.any(Date) });
    },
  );

  it('is sent by the attempt whose claim was stored, although it was not told so', async () => {
    const begun = await stage();
    const token = randomUUID();
    await claim(begun, token);
    const claimed = await claim(begun, token);
    await recordRequest(begun.context, begun.ref, claimed, answered());
    expect(await toolResult(begun.staged, begun.toolCallId)).toMatchObject({ ok: true });
  });

  it('is repeated with the same Idempotency-Key if it is idempotent, at most three times', async () => {
    const begun = await stage({ idempotent: true });
    const claims = [await claim(begun), await claim(begun), await claim(begun)];
    const keys = new Set(claims.map(({ request: { headers } }) => headers['Idempotency-Key']));
    expect(keys.size).toBe(1);

    expect((await run(begun)).result).toMatchObject({ error: 'request_outcome_unknown' });
  });

  it('leaves the answer of the attempt that came first', async () => {
    const begun = await stage({ idempotent: true });
    const first = await claim(begun);
    const second = await claim(begun);
    await recordRequest(begun.context, begun.ref, second, answered(200, '"second"'));
    await recordRequest(begun.context, begun.ref, first, answered(200, '"first"'));

    const results = (await begun.staged.messages()).filter(({ role }) => role === 'tool');
    expect(results.map(({ content }) => JSON.parse(String(content)).body)).toEqual(['second']);
  });

  it('is unknown to a later turn, if its own was given up', async () => {
    const begun = await stage();
    await claim(begun);
    await begun.staged.memberWrites('Hello?');
    const asked = await new Turn(begun.staged).ask();
    const told = asked.messages.find(
      (message) => message.role === 'tool' && message.toolCallId === begun.toolCallId,
    );
    expect(told).toMatchObject({ content: expect.stringContaining('request_outcome_unknown') });
  });

  it('leaves no answer in a chat that was emptied meanwhile', async () => {
    const begun = await stage();
    const claimed = await claim(begun);
    await inWorkspace((tx) => tx('messages').where({ chat_id: begun.staged.chatId }).del());
    expect(await recordRequest(begun.context, begun.ref, claimed, answered())).toEqual({ endsTurn: true });
    expect(await begun.staged.messages()).toEqual([]);
    const row = await inWorkspace((tx) => findToolRequest(tx, begun.staged.chatId, begun.toolCallId));
    expect(row).toMatchObject({ statusCode: 200, failureCode: null });
  });
});

describe('a refused secret', () => {
  const secret = async () => {
    const all = await inWorkspace(selectSecrets);
    const found = all.find(({ id }) => id === secretId);
    if (found === undefined) throw new Error('the secret is gone');
    return found;
  };
  const notices = () =>
    inWorkspace((tx) => tx('event_rule_notices').where({ secret_id: secretId }).count().first()).then((row) =>
      Number(row?.count),
    );

  it('is told to the model and to admins, once until it is taken or changed', async () => {
    const { result } = await run(await stage(), answered(401, '"no"'));
    await run(await stage(), answered(401, '"no"'));
    expect(result).toMatchObject({ ok: false, error: 'request_failed', status: 401 });
    expect((await secret()).refusedAt).not.toBeNull();
    const once = await notices();
    expect(once).toBeGreaterThan(0);

    await run(await stage());
    expect((await secret()).refusedAt).toBeNull();
    await run(await stage(), answered(401));
    expect(await notices()).toBe(2 * once);
  });

  it('is not blamed for 403, which may be about what the member asked for', async () => {
    await run(await stage());
    await run(await stage(), answered(403, '"no"'));
    expect((await secret()).refusedAt).toBeNull();
  });

  it('is not blamed if it has a new value since', async () => {
    const admin = { ...suite.workspace.context(suite.workspace.admin), encryption: testEncryption };
    const begun = await stage();
    const claimed = await claim(begun);
    await updateSecret(admin, secretId, { value: 'another-value-01' });
    await recordRequest(begun.context, begun.ref, claimed, answered(401));
    expect((await secret()).refusedAt).toBeNull();
  });
});

describe('the limits on requests', () => {
  it.each([{ chatRequestsPerHour: 1 }, { workspaceRequestsPerHour: 1 }])('are kept: %j', async (budgets) => {
    const begun = await stage();
    await run(begun);
    const second = await begun.turn.take(call(['find_times', { day: 'tuesday' }]));
    if (second.kind !== 'tools') throw new Error('no tool is called');
    const [toolCallId = ''] = second.toolCallIds;
    const context = contextOf(begun.staged, budgets);
    const { sent, result } = await run({
      ...begun,
      context,
      toolCallId,
      ref: refOf(begun.staged, toolCallId),
    });
    expect(sent).toEqual([]);
    expect(result).toEqual({ ok: false, error: 'too_many_requests' });
  });

  it('let an hour pass, and count a workspace that waits for ten answers as busy', async () => {
    const begun = await stage();
    begun.staged.clock.advance(25 * 3_600_000);
    const { chatId, clock } = begun.staged;
    await inWorkspace(async (tx) => {
      for (let number = 0; number < 10; number += 1) {
        await insertToolRequest(tx, {
          chatId,
          toolCallId: `call_${number}`,
          idempotencyKey: randomUUID(),
          claimToken: randomUUID(),
          claimedAt: clock.now(),
        });
      }
    });
    expect((await run(begun)).result).toEqual({ ok: false, error: 'too_many_requests' });
    begun.staged.clock.advance(4 * 60_000);
    const later = await begun.turn.take(call(['find_times', { day: 'tuesday' }]));
    const toolCallId = later.kind === 'tools' ? (later.toolCallIds[0] ?? '') : '';
    const ref = refOf(begun.staged, toolCallId);
    expect((await run({ ...begun, toolCallId, ref })).result).toMatchObject({ ok: true });
  });
});
