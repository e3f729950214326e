import { describe, expect, it } from 'vitest';
import { openStream, type SeenEvent } from '../../support/api/event-stream.js';
import { startSystem } from '../../support/system/system.js';
import { useSmsWorkspace } from '../../support/system/use-sms-workspace.js';
import { addMember } from '../../support/workspace/factories.js';

const { system, workspace } = useSmsWorkspace(startSystem);

/** A member's chat whose stream is open, and in which the model will say this, a word at a time. */
async function openWebChat(says: string, tokenDelayMs: number) {
  const member = await addMember(workspace, { role: workspace.roles.member });
  const { body } = await system.api.request('POST', workspace.path('/chats'), {
    apiKey: member.apiKey,
    body: { channel: 'web-chat' },
  });
  const path = workspace.path(`/chats/${body.id}`);
  const stream = await openStream(system.api.baseUrl, `${path}/events`, { apiKey: member.apiKey });
  await stream.seen('the chat', ({ event }) => event === 'chat.snapshot');
  await system.model.script([{ content: says }], member.row.name ?? '');
  await system.model.turn({ tokenDelayMs });
  return {
    stream,
    write: (content: string) =>
      system.api.request('POST', `${path}/messages`, { apiKey: member.apiKey, body: { content } }),
    change: (body: object) => system.api.request('PUT', path, { apiKey: workspace.admin.apiKey, body }),
  };
}

const isReply = ({ event, data }: SeenEvent) =>
  event === 'message.created' && data.message.role === 'assistant' && data.message.content !== null;
const deltasOf = (events: SeenEvent[], turn: string, round: number) =>
  events.filter(({ event, data }) => event === 'reply.delta' && data.turn === turn && data.round === round);

describe('a turn of the agent in the live stream of a chat', () => {
  it('appears as a typing notice, reply deltas and the stored message', async () => {
    const text = 'A reply that is long enough to come in several pieces, one after the other.';
    const { stream, write } = await openWebChat(text, 100);

    await write('hello');
    const reply = await stream.seen('the reply', isReply);
    await stream.seen('that the agent is done', ({ event, data }) => event === 'typing' && !data.active);
    await system.model.turn({ tokenDelayMs: 0 });

    const { turn, round } = reply.data.reply;
    const deltas = deltasOf(stream.events, turn, round);
    expect(deltas.length).toBeGreaterThan(3);
    expect(deltas.map(({ data }) => data.index)).toEqual(deltas.map((_, index) => index));
    expect(deltas.map(({ data }) => data.text).join('')).toBe(text);
    expect(reply.data.message.content).toBe(text);
    const place = (fits: (event: SeenEvent) => boolean) => stream.events.findIndex(fits);
    const begins = place(({ event, data }) => event === 'typing' && data.isAgent && data.active);
    const lastDelta = stream.events.findLastIndex(({ event }) => event === 'reply.delta');
    expect(begins).toBeGreaterThan(place(({ event }) => event === 'message.created'));
    expect(begins).toBeLessThan(place(({ event }) => event === 'reply.delta'));
    expect(lastDelta).toBeLessThan(stream.events.indexOf(reply));
    await stream.close();
  });

  it('is dropped when another message arrives, followed by a new round', async () => {
    const { stream, write } = await openWebChat('words that nobody will have said '.repeat(40), 40);

    await write('one');
    const draft = await stream.seen('a draft', ({ event }) => event === 'reply.delta');
    await write('two');
    await system.model.turn({ tokenDelayMs: 0 });
    const { turn, round } = draft.data;
    await stream.seen(
      'that it is dropped',
      ({ event, data }) => event === 'reply.dropped' && data.turn === turn && data.round === round,
    );

    const reply = await stream.seen('the reply', isReply);
    expect(reply.data.message.content).toContain('one / two');
    expect(reply.data.reply).toEqual({ turn, round: round + 1 });
    expect(stream.events.filter(isReply)).toHaveLength(1);
    await stream.close();
  });

  it('is dropped when a person pauses the chat, and nothing follows', async () => {
    const { stream, write, change } = await openWebChat('words that nobody will have said '.repeat(40), 40);

    await write('hello');
    await stream.seen('a draft', ({ event }) => event === 'reply.delta');
    await change({ paused: true });
    await stream.seen('the pause', ({ event, data }) => event === 'chat.updated' && data.chat.paused);
    await stream.seen('that it is dropped', ({ event }) => event === 'reply.dropped');
    await system.model.turn({ tokenDelayMs: 0 });

    await stream.seen('that nobody types', ({ event, data }) => event === 'typing' && !data.active);
    await change({ title: 'Over' });
    await stream.seen('what came later', ({ data }) => data.chat?.title === 'Over');
    expect(stream.events.filter(isReply)).toEqual([]);
    const pause = stream.events.findIndex(({ event, data }) => event === 'chat.updated' && data.chat.paused);
    const after = stream.events.slice(pause).map(({ event }) => event);
    expect(after).not.toContain('reply.delta');
    expect(after.filter((event) => event === 'reply.dropped')).toHaveLength(1);
    await stream.close();
  });
});
