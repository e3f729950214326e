import type { PhoneCallRow } from '../../../db/calls/phone-calls.js';
import {
  type HistoryBounds,
  type MessageRow,
  selectBoundedHistory,
} from '../../../db/conversations/messages.js';
import type { Tx } from '../../../db/tx.js';
import { quotedNote, toModelHistory } from '../model-history.js';

/** What was said before the session began. */
export interface SpokenMessage {
  role: 'user' | 'assistant' | 'system';
  text: string;
}

/** Smaller than in text: the model has to keep the sound of the call as well. */
export const spokenHistoryBounds: HistoryBounds = {
  messages: 60,
  bytes: 48 * 1_024,
  bytesOfMessage: 8 * 1_024,
};

/** What a session may know of the history: only what was said in the call itself, while the caller may be a stranger. */
export function tellable(
  rows: readonly MessageRow[],
  { call, isWithheld }: { call: PhoneCallRow | undefined; isWithheld: boolean },
): MessageRow[] {
  if (!isWithheld || call === undefined) return [...rows];
  return rows.filter((row) => isOfCall(row, call));
}

function isOfCall(row: MessageRow, call: PhoneCallRow): boolean {
  return row.callId === call.id || (row.role === 'tool' && row.createdAt >= call.createdAt);
}

const maxOfEarlier = 8_000;

/** What was said and written before a call, for a session that has begun without it. */
export async function earlierNote(tx: Tx, call: PhoneCallRow): Promise<string[]> {
  if (call.chatId === null) return [];
  const rows = await selectBoundedHistory(tx, call.chatId, spokenHistoryBounds);
  const earlier = toSpokenHistory(
    rows.filter((row) => !isOfCall(row, call) && row.createdAt < call.createdAt),
  );
  if (earlier.length === 0) return [];
  const lines = earlier.map(({ role, text }) => `${speakers[role]}: ${text}`).join('\n');
  return [quotedNote(`What was said before this call:\n${lines.slice(-maxOfEarlier)}`)];
}

const speakers = { user: 'Member', assistant: 'You', system: 'Note' } as const;

const maxOfResult = 2_000;

/** The history of a chat for a session, in which calls of tools are told as notes. */
export function toSpokenHistory(rows: readonly MessageRow[]): SpokenMessage[] {
  // What is still to be spoken was not said.
  const said = rows.filter((row) => !isToBeSpoken(row));
  return toModelHistory(said).flatMap((message): SpokenMessage[] => {
    switch (message.role) {
      case 'tool':
        return [{ role: 'system', text: `The result, as data: ${message.content.slice(0, maxOfResult)}` }];
      case 'assistant': {
        const spoken = message.content ? [{ role: 'assistant' as const, text: message.content }] : [];
        const calls = message.toolCalls ?? [];
        return [
          ...spoken,
          ...calls.map(({ name, arguments: args }) => ({
            role: 'system' as const,
            text: `You have called ${name} with ${args.slice(0, maxOfResult)}.`,
          })),
        ];
      }
      case 'user': {
        const text = textOf(message.content);
        return text === '' ? [] : [{ role: 'user', text }];
      }
      default:
        return [{ role: 'system', text: message.content }];
    }
  });
}

/** Files are not shown on the phone. */
export function textOf(content: string | readonly { type: string }[]): string {
  if (typeof content === 'string') return content;
  return content
    .map((part) => ('text' in part ? String(part.text) : ''))
    .join('\n')
    .trim();
}

export function isToBeSpoken({ callId, callItemId, role, audioMetadata, content }: MessageRow): boolean {
  return (
    callId !== null &&
    callItemId === null &&
    role === 'assistant' &&
    audioMetadata === null &&
    content !== null
  );
}
