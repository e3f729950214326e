import type { MessageTemplateRow } from '../../../db/conversations/message-templates.js';
import type { CelContext } from '../../lib/cel.js';
import { type FieldError, InvalidInput } from '../../lib/errors.js';
import { checkTemplate, renderTemplate } from '../../lib/template.js';

/** What the expressions of a message template see: who is written to, and where. */
export type SeenByTemplates = Pick<CelContext, 'member' | 'chat' | 'now'>;

/** Of nobody: an expression that finds nothing here may find nothing where it is used. */
const anyone = (): SeenByTemplates => ({
  member: { id: 1, name: '', locale: '', labels: [], form_data: {}, data: {}, partial_data: [] },
  chat: { id: 1, channel: 'phone-sms', paused: false, message_count: 0 },
  now: new Date(0),
});

/** @throws InvalidInput for each text with an expression that is wrong, or names what templates do not see */
export function checkTexts(texts: Readonly<Record<string, string | undefined>>): void {
  const errors = Object.entries(texts).flatMap(([pointer, text]) =>
    text === undefined ? [] : problemsOf(text).map((message): FieldError => ({ pointer, message })),
  );
  if (errors.length > 0) throw InvalidInput.fields(errors);
}

function problemsOf(text: string): string[] {
  if (text.trim() === '') return ['must contain text'];
  const checked = checkTemplate(text);
  if (!checked.ok) return checked.issues.map(({ message, position }) => `${message} (at ${position})`);
  const unseen = 'has an expression of what a message template does not see: it sees member, chat and now';
  return renderTemplate(text, anyone(), 'plain').problems.map(({ position }) => `${unseen} (at ${position})`);
}

/** The text as it is sent in this chat: in the language of the member if there is one, with the values of its expressions. */
export function fillTemplate(
  { text, translations }: Pick<MessageTemplateRow, 'text' | 'translations'>,
  seen: SeenByTemplates,
): string {
  const language = seen.member.locale?.split('-', 1)[0] ?? '';
  const own = Object.hasOwn(translations, language) ? translations[language] : undefined;
  return renderTemplate(own ?? text, seen, seen.chat.channel).text;
}
