import {
  countMessageTemplates,
  findMessageTemplate,
  insertMessageTemplate,
  type MessageTemplateRow,
  type MessageTemplateSortField,
  type MessageTemplateValues,
  patchMessageTemplate,
  removeMessageTemplate,
  selectMessageTemplates,
} from '../../../db/conversations/message-templates.js';
import { labelsOfMembers } from '../../../db/people/member-labels.js';
import { findMember } from '../../../db/people/members.js';
import type { Tx } from '../../../db/tx.js';
import { readableChat } from '../../chat-state/chat-access.js';
import type { CommandContext } from '../../kernel/context.js';
import { Conflict, NotFound } from '../../lib/errors.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';
import { mappingUniqueViolation } from '../../lib/unique-violation.js';
import { checkTexts, fillTemplate, type SeenByTemplates } from './fill-template.js';

export const maxMessageTemplates = 1_000;

export type NewMessageTemplate = Pick<MessageTemplateValues, 'name' | 'text'> &
  Partial<MessageTemplateValues>;

interface Wanted {
  search?: string | undefined;
  /** The chat in which the templates are to be used. */
  chatId?: number | undefined;
}

/** A template; with a chat, the text as it is sent there. */
type ListedTemplate = MessageTemplateRow & { filled?: string };

/** @throws Forbidden, NotFound if there is no such chat */
export async function listMessageTemplates(
  { db, clock, actor }: CommandContext,
  { search, chatId, ...page }: PageRequest<MessageTemplateSortField> & Wanted,
): Promise<PageOf<ListedTemplate>> {
  actor.require('chats:write');
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const chat = chatId === undefined ? undefined : await readableChat(tx, actor, chatId);
    const found = await selectMessageTemplates(tx, search, page);
    if (chat === undefined) return found;
    const { id, memberId, channel, paused, messageCount } = chat;
    const seen = {
      member: await seenOfMember(tx, memberId),
      chat: { id, channel, paused, message_count: messageCount },
      now: clock.now(),
    };
    return { ...found, items: found.items.map((row) => ({ ...row, filled: fillTemplate(row, seen) })) };
  });
}

/** Without what is recorded of the member, which not everybody who answers may read. */
async function seenOfMember(tx: Tx, id: number): Promise<SeenByTemplates['member']> {
  const [member, labels] = await Promise.all([findMember(tx, id), labelsOfMembers(tx, [id])]);
  return {
    id,
    name: member?.name ?? null,
    locale: member?.locale ?? null,
    labels: (labels.get(id) ?? []).map(({ slug }) => slug),
    form_data: {},
    data: {},
    partial_data: [],
  };
}

/** @throws Forbidden, NotFound */
export async function getMessageTemplate(
  { db, actor }: CommandContext,
  id: number,
): Promise<MessageTemplateRow> {
  actor.require('chats:write');
  return existing(await db.readInWorkspace(actor.workspaceId, (tx) => findMessageTemplate(tx, id)));
}

/** @throws Forbidden, InvalidInput, Conflict `too_many_message_templates` */
export async function createMessageTemplate(
  { db, clock, actor }: CommandContext,
  { name, shortcut = null, text, translations = {} }: NewMessageTemplate,
): Promise<MessageTemplateRow> {
  actor.require('workspace:write');
  await checkTexts(textsOf({ text, translations }));
  return reportingTakenShortcut(() =>
    db.inWorkspace(actor.workspaceId, async (tx) => {
      if ((await countMessageTemplates(tx)) >= maxMessageTemplates) {
        const detail = `A workspace has at most ${maxMessageTemplates} message templates.`;
        throw new Conflict('too_many_message_templates', detail);
      }
      return insertMessageTemplate(tx, { name, shortcut, text, translations }, clock.now());
    }),
  );
}

/** @throws Forbidden, NotFound, InvalidInput */
export async function updateMessageTemplate(
  { db, clock, actor }: CommandContext,
  id: number,
  changes: Partial<MessageTemplateValues>,
): Promise<MessageTemplateRow> {
  actor.require('workspace:write');
  await checkTexts(textsOf(changes));
  return existing(
    await reportingTakenShortcut(() =>
      db.inWorkspace(actor.workspaceId, (tx) => patchMessageTemplate(tx, id, changes, clock.now())),
    ),
  );
}

/** Messages that were written with it stay as they are. @throws Forbidden, NotFound */
export async function deleteMessageTemplate({ db, actor }: CommandContext, id: number): Promise<void> {
  actor.require('workspace:write');
  const existed = await db.inWorkspace(actor.workspaceId, (tx) => removeMessageTemplate(tx, id));
  existing(existed ? id : undefined);
}

/** The texts of a template by the place of their fields. */
function textsOf({
  text,
  translations = {},
}: Partial<MessageTemplateValues>): Record<string, string | undefined> {
  const others = Object.entries(translations).map(([language, one]) => [`/translations/${language}`, one]);
  return { '/text': text, ...Object.fromEntries(others) };
}

function existing<T>(found: T | undefined): T {
  if (found === undefined) throw new NotFound('Message template');
  return found;
}

const reportingTakenShortcut = mappingUniqueViolation({
  constraint: 'message_templates_workspace_id_shortcut_key',
  pointer: '/shortcut',
  message: 'Another message template of the workspace has this shortcut.',
});
