/** The channel on which processes notify each other of changes in chats. */
export const liveChannel = 'wes_live';

/** PostgreSQL accepts less than 8,000 bytes in one notification. */
const maxBytes = 7_900;

export type Signal =
  | {
      type: 'typing';
      /** The member that types; null for an agent without a member. */
      memberId: number | null;
      role: 'user' | 'assistant';
      isAgent: boolean;
      active: boolean;
    }
  | {
      type: 'call.speaking';
      phoneCallId: number;
      speaker: 'member' | 'agent';
      active: boolean;
    }
  | { type: 'reply.delta'; turn: string; round: number; index: number; text: string }
  | { type: 'reply.dropped'; turn: string; round: number };

/** A chat with its workspace, without which it cannot be read. */
export type ChatPlace = { workspaceId: number; chatId: number };

/** The content of a notification: which chats have changed, or a signal in one of them. */
export type Notice =
  | { kind: 'changed'; chats: ChatPlace[] }
  | { kind: 'signal'; place: ChatPlace; signal: Signal };

/** Few notifications that these chats have changed, each below PostgreSQL's limit. */
export function changedPayloads(chats: readonly ChatPlace[]): string[] {
  const payloads: string[] = [];
  let payload = 'c';
  for (const { workspaceId, chatId } of chats) {
    const entry = ` ${workspaceId}:${chatId}`;
    if (payload.length + entry.length > maxBytes) {
      payloads.push(payload);
      payload = 'c';
    }
    payload += entry;
  }
  return [...payloads, payload];
}

/** @throws RangeError when the signal is too large for a notification */
export function signalPayload({ workspaceId, chatId }: ChatPlace, signal: Signal): string {
  const payload = `s ${workspaceId}:${chatId} ${JSON.stringify(signal)}`;
  if (Buffer.byteLength(payload) > maxBytes) throw new RangeError('a signal is too large to be told');
  return payload;
}

/** Parses a notification; undefined for an unknown one, such as that of a newer version. */
export function readNotice(payload: string): Notice | undefined {
  const [kind, first = '', ...rest] = payload.split(' ');
  try {
    if (kind === 'c') return { kind: 'changed', chats: [first, ...rest].map(readPlace) };
    if (kind === 's') {
      return { kind: 'signal', place: readPlace(first), signal: JSON.parse(rest.join(' ')) as Signal };
    }
  } catch {
    return undefined;
  }
  return undefined;
}

function readPlace(text: string): ChatPlace {
  const [workspaceId, chatId] = text.split(':').map(Number);
  if (!Number.isSafeInteger(workspaceId) || !Number.isSafeInteger(chatId)) throw new RangeError('no place');
  return { workspaceId: Number(workspaceId), chatId: Number(chatId) };
}
