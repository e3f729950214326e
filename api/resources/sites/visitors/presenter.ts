import type { ChatRow } from '../../../../db/conversations/chats.js';
import type { MessageRow } from '../../../../db/conversations/messages.js';
import type { Signal } from '../../../../db/live/notices.js';
import { messageText } from '../../../../domain/channels/message-text.js';
import type { ChatChange } from '../../../../domain/conversations/chat-events/read-changes.js';
import type { ChatSettings } from '../../../../domain/sites/visitors/chat-settings.js';
import { visitorFiles } from '../../../../domain/sites/visitors/store-visitor-file.js';
import type { SiteChatResponse, VisitorChat, VisitorEvent, VisitorMessageResponse } from './schemas.js';

export function presentSettings({
  offered,
  siteName,
  allowSignup,
  greeting,
  greetingLocale,
  locale,
  theme,
}: ChatSettings): SiteChatResponse {
  return {
    offered,
    siteName,
    allowSignup,
    greeting,
    greetingLocale,
    locale,
    // Every theme has a default of every setting.
    colorScheme: theme.colorScheme ?? 'auto',
    cornerRadius: theme.cornerRadius ?? 0,
    light: theme.light as SiteChatResponse['light'],
    dark: theme.dark as SiteChatResponse['dark'],
    attachments: {
      maxBytes: visitorFiles.bytes,
      maxFiles: visitorFiles.ofMessage,
      mimeTypes: [...visitorFiles.mimeTypes],
    },
  };
}

/** What a chat is to its visitor, beside its row. */
export interface VisitorStanding {
  concluded: boolean;
  /** Whether the visitor has signed up. */
  ofAccount: boolean;
  /** Whether the site names its colleagues. */
  showsNames: boolean;
}

export function presentVisitorChat(
  chat: ChatRow,
  { concluded, ofAccount }: Omit<VisitorStanding, 'showsNames'>,
): VisitorChat {
  const agentAnswers = chat.assistantEnabled && !chat.paused;
  return { uuid: chat.uuid, concluded, waitsForPerson: chat.needsResponse, agentAnswers, ofAccount };
}

/**
 * A message as a visitor sees it; undefined for what is no message to people, such as the call of a tool.
 * @param authorName the colleague who wrote it; null: nobody, or nobody who is named
 */
export function presentVisitorMessage(
  row: MessageRow,
  authorName: string | null,
): VisitorMessageResponse | undefined {
  const { role } = row;
  if (role !== 'user' && role !== 'assistant') return undefined;
  const text = row.content === null ? '' : messageText(row.content);
  if (text === '' && row.files.length === 0) return undefined;
  return {
    id: row.uuid,
    role,
    author: role === 'user' ? 'visitor' : row.author === 'person' ? 'person' : 'agent',
    authorName,
    text,
    files: row.files.flatMap((file) =>
      file.status === 'stored'
        ? [{ id: file.fileId, filename: file.filename, mimeType: file.mimeType, fileSize: file.fileSize }]
        : [],
    ),
    suggestions: row.suggestions,
    rating: row.userRating,
    createdAt: row.createdAt,
  };
}

/** A change as one event; undefined if it is nothing to the visitor. */
export function presentVisitorChange(
  change: ChatChange,
  standing: VisitorStanding,
): VisitorEvent | undefined {
  const { kind, revision: id } = change;
  if (kind === 'call.updated') return undefined;
  if (kind === 'timeline.added') {
    const isEnd = change.entries.some((entry) => entry.kind === 'concluded');
    return isEnd ? { event: 'concluded', id, data: {} } : undefined;
  }
  if (kind === 'chat.updated') {
    return { event: 'chat', id, data: { chat: presentVisitorChat(change.chat, standing) } };
  }
  const message = presentVisitorMessage(change.message, standing.showsNames ? change.authorName : null);
  if (message === undefined) return undefined;
  const { turnUuid: turn, turnRound: round } = change.message;
  const reply = turn === null || round === null ? {} : { reply: { turn, round } };
  return { event: 'message', id, data: { message, ...reply } };
}

export function presentVisitorSignal(signal: Signal): VisitorEvent | undefined {
  if (signal.type === 'call.speaking') return undefined;
  if (signal.type === 'typing') {
    const { role, isAgent, active } = signal;
    if (role === 'user') return undefined;
    return { event: 'typing', data: { author: isAgent ? 'agent' : 'person', active } };
  }
  const { type, ...data } = signal;
  return { event: type, data } as VisitorEvent;
}
