import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../../support/lib/wait-for.js';
import { calling } from '../../support/simulators/simulated-model.js';
import { startSystem } from '../../support/system/system.js';
import { useSmsWorkspace } from '../../support/system/use-sms-workspace.js';
import { readable, recordRuns, summariesOf } from '../histories.js';

const { system, workspace } = useSmsWorkspace(startSystem);

const prompt = 'You summarize one chat';

async function chatWith(words: string) {
  const chat = await workspace.openChat();
  await chat.write(words);
  await chat.heard(words);
  return chat;
}

function summarize(chatId: number, key: string = randomUUID(), query = '') {
  return system.api.request('POST', workspace.path(`/chats/${chatId}/summarize${query}`), {
    apiKey: workspace.admin.apiKey,
    headers: { 'Idempotency-Key': key },
  });
}

const runsOf = (chatId: number) =>
  recordRuns(system, `WorkflowType = 'summarizeChat' and ChatId = '${chatId}'`);

beforeAll(async () => {
  await system.model.unscript();
});
afterAll(async () => {
  await system.model.unscript();
});

describe('POST summarize with a real run', () => {
  it('stores what the model writes, with labels of the workspace', async () => {
    const chat = await chatWith('my knee hurts, urgent');
    const label = await workspace.asAdmin('POST', '/chat-labels', { name: `urgent`, color: '#ff0000' });

    const { status, body } = await summarize(chat.chatId, randomUUID(), '?update_labels=true');

    expect(status).toBe(200);
    expect(body).toMatchObject({
      title: expect.stringContaining('my knee hurts'),
      summary: expect.stringContaining('my knee hurts'),
      summaryUpdatedAt: expect.any(String),
      labels: [{ id: label.body.id }],
    });
  });

  it('asks the model once for a request that is repeated, during and after its run', async () => {
    const chat = await chatWith('one request only');
    await system.model.script(
      [{ hold: true, ...calling('write_summary', { title: 'Once', summary: 'One.' }) }],
      prompt,
    );
    const key = randomUUID();
    const first = summarize(chat.chatId, key);
    await system.model.held();
    const second = summarize(chat.chatId, key);
    await waitFor('the run has begun', async () => (await runsOf(chat.chatId)).length === 1);
    await system.model.release();

    const answers = [await first, await second, await summarize(chat.chatId, key)];

    expect(answers.map(({ body }) => body.title)).toEqual(['Once', 'Once', 'Once']);
    expect(await runsOf(chat.chatId)).toHaveLength(1);
    const asked = await system.model.requests('one request only');
    expect(asked.filter(({ body }) => JSON.stringify(body).includes(prompt))).toHaveLength(1);
  });

  /** A request whose caller waits no longer once its run has begun. */
  async function begin(chatId: number) {
    const { workspaceId, workspaceUuid, admin } = workspace;
    const requestUuid = randomUUID();
    const run = {
      ...{ workspaceId, workspaceUuid, chatId, memberId: admin.memberId },
      ...{ requestUuid, updateLabels: false },
    };
    const leaving = new AbortController();
    const begun = () => leaving.abort(new Error('the caller has gone'));
    const left = system.runs.summarizeChat(run, { signal: leaving.signal, begun });
    await expect(left).rejects.toThrow('the caller has gone');
    return run;
  }

  it('goes on when its caller waits no longer, and is found by the same request', async () => {
    const chat = await chatWith('nobody waits');
    await system.model.script(
      [{ hold: true, ...calling('write_summary', { title: 'Alone', summary: 'Done.' }) }],
      prompt,
    );
    const run = await begin(chat.chatId);
    await system.model.held();
    expect(await system.runs.findSummary(run.requestUuid)).toEqual({ kind: 'running' });
    const leaving = new AbortController();
    const again = system.runs.summarizeChat(run, { signal: leaving.signal });
    leaving.abort(new Error('gone again'));
    await expect(again).rejects.toThrow('gone again');
    await system.model.release();

    expect(await system.runs.summarizeChat(run)).toBe('summarized');
    expect(await system.runs.findSummary(run.requestUuid)).toEqual({ kind: 'ended', outcome: 'summarized' });
    expect(await chat.chat()).toMatchObject({ title: 'Alone' });
    expect(await runsOf(chat.chatId)).toHaveLength(1);
  });

  it('is cancelled before the model is asked, and begins anew when it is asked for again', async () => {
    const chat = await chatWith('never mind');
    await system.stopWorker();
    const run = await begin(chat.chatId);
    await system.runs.cancelSummary(run.requestUuid);
    await system.startWorker();
    await waitFor('the run is cancelled', async () => {
      return (await system.runs.findSummary(run.requestUuid))?.kind === 'cancelled';
    });
    expect(await chat.chat()).toMatchObject({ title: null, summary: null });
    // A run that has ended stays as it is.
    await system.runs.cancelSummary(run.requestUuid);

    await system.model.script([calling('write_summary', { title: 'After all', summary: 'Yes.' })], prompt);
    expect(await system.runs.summarizeChat(run)).toBe('summarized');
    expect(await chat.chat()).toMatchObject({ title: 'After all' });
  });

  it('is not cancelled once it is stored: its run says what became of it', async () => {
    const chat = await chatWith('too late');
    await system.model.script(
      [{ hold: true, ...calling('write_summary', { title: 'Stored', summary: 'Yes.' }) }],
      prompt,
    );
    const run = await begin(chat.chatId);
    await system.model.held();
    await system.runs.cancelSummary(run.requestUuid);
    await system.model.release();
    await waitFor('the run has ended', async () => {
      return (await system.runs.findSummary(run.requestUuid))?.kind !== 'running';
    });
    const isStored = (await chat.chat()).title === 'Stored';
    const state = isStored ? { kind: 'ended', outcome: 'summarized' } : { kind: 'cancelled' };
    expect(await system.runs.findSummary(run.requestUuid)).toEqual(state);
  });

  it('is not known where there was none', async () => {
    expect(await system.runs.findSummary(randomUUID())).toBeUndefined();
    await system.runs.cancelSummary(randomUUID());
  });

  it('is 500 when the model refuses, at once, and changes nothing', async () => {
    const chat = await chatWith('refuse this');
    await system.model.script([{ status: 400, error: 'context_length_exceeded' }], prompt);

    const answer = await summarize(chat.chatId);

    expect(answer).toMatchObject({ status: 500, body: { code: 'summarization_failed' } });
    expect(await chat.chat()).toMatchObject({ summary: null, summaryUpdatedAt: null });
  });

  it('begins another run when the request is repeated after one that came to nothing, and none after a summary', async () => {
    const chat = await chatWith('once more');
    const key = randomUUID();
    const given = calling('write_summary', { title: 'This time', summary: 'It worked.' });
    await system.model.script([{ status: 400, error: 'context_length_exceeded' }, given], prompt);
    expect(await summarize(chat.chatId, key)).toMatchObject({ status: 500 });

    const repeated = await summarize(chat.chatId, key);
    expect(repeated).toMatchObject({ status: 200, body: { title: 'This time' } });
    expect(await summarize(chat.chatId, key)).toMatchObject({ status: 200, body: { title: 'This time' } });
    expect(await runsOf(chat.chatId)).toHaveLength(2);
  });

  it('is 500 when the account of the model cannot be used, and the agent is tried again as before', async () => {
    const chat = await chatWith('no money left');
    await system.model.script([{ status: 404, error: 'model_not_found' }], prompt);
    expect(await summarize(chat.chatId)).toMatchObject({ status: 500 });
  });

  it('tries again when the model is busy, breaks off or writes no summary', async () => {
    const chat = await chatWith('try again');
    const given = calling('write_summary', { title: 'At last', summary: 'It worked.' });
    await system.model.script(
      [{ status: 429, headers: { 'retry-after': '1' } }, { error: 'drop' }, { content: 'Sorry.' }, given],
      prompt,
    );

    expect((await summarize(chat.chatId)).body).toMatchObject({ title: 'At last' });
  });

  it('shows ids and codes only, and reads well', async () => {
    const chat = await chatWith('nobody may read this');
    await summarize(chat.chatId);

    const [run] = await runsOf(chat.chatId);

    expect(summariesOf(run as never)).toEqual([
      expect.stringMatching(/^Summary of chat \d+ with member \d+$/),
      'Ask the model for a summary',
    ]);
    expect(readable(run as never)).not.toContain('nobody may read');
    const handle = system.client.workflow.getHandle(run?.workflowId ?? '');
    expect(await handle.result()).toEqual({ outcome: 'summarized' });
  });

  it('is found again by its row when its worker died after storing it', async () => {
    const chat = await chatWith('my foot hurts');
    const key = randomUUID();
    await summarize(chat.chatId, key);
    const before = await chat.chat();

    await summarize(chat.chatId, key);

    expect((await chat.chat()).summaryUpdatedAt).toEqual(before.summaryUpdatedAt);
  });
});
