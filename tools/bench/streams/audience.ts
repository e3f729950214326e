import { setTimeout as pause } from 'node:timers/promises';
import { createChat } from '../../../domain/conversations/chats/create-chat.js';
import { addMember } from '../../../test/support/workspace/factories.js';
import type { Stage } from '../stage/stage.js';
import type { OpenedStream } from './readers.js';
import { sentNow } from './sent-at.js';

/** A chat whose member writes messages and reads them in several windows. */
export interface FollowedChat {
  id: number;
  authorization: string;
  readers: number;
}

export type PathOf = (chat: FollowedChat, what: 'messages' | 'events') => string;

/** The readers of event streams, in a separate process. */
export type Audience = Awaited<ReturnType<typeof openStreams>>;

/** Creates enough chats for `streams` readers in total, each with its own member. */
export async function makeChats(stage: Stage, streams: number, readers: number): Promise<FollowedChat[]> {
  const { workspace } = stage;
  const chats: FollowedChat[] = [];
  for (let made = 0; made < Math.ceil(streams / readers); made += 1) {
    const member = await addMember(workspace, { role: workspace.roles.member });
    const { id } = await createChat(workspace.context(member), { channel: 'web-chat' });
    chats.push({ id, authorization: `Bearer ${member.apiKey}`, readers });
  }
  return chats;
}

export async function openStreams(stage: Stage, chats: readonly FollowedChat[], pathOf: PathOf) {
  const readers = await stage.startScript(new URL('./readers.ts', import.meta.url));
  const streams = chats.flatMap((chat): OpenedStream[] =>
    Array(chat.readers).fill({ url: pathOf(chat, 'events'), authorization: chat.authorization }),
  );
  const response = await fetch(`${readers.url}/open`, { method: 'POST', body: JSON.stringify(streams) });
  if (!response.ok) throw new Error(await response.text());
  const perMessage = streams.length / chats.length;
  return {
    streams: streams.length,
    close: () => readers.stop(),
    /** Delivery times in ms of each message to each reader. @throws when fewer than `messages` messages arrive */
    async arrivals(messages: number): Promise<number[]> {
      const all: number[] = [];
      const giveUpAt = performance.now() + 10_000;
      while (all.length < messages * perMessage) {
        const more = await fetch(`${readers.url}/arrivals`);
        all.push(...((await more.json()) as number[]));
        if (performance.now() > giveUpAt) throw new Error(`${all.length} of ${messages * perMessage} came`);
        await pause(50);
      }
      return all;
    },
  };
}

export async function write(chat: FollowedChat, pathOf: PathOf): Promise<void> {
  const response = await fetch(pathOf(chat, 'messages'), {
    method: 'POST',
    headers: { authorization: chat.authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ content: sentNow() }),
  });
  if (response.status !== 201) throw new Error(`a message was answered ${response.status}`);
  await response.arrayBuffer();
}
