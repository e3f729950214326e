import type { MessageTemplateRow } from '../../../db/conversations/message-templates.js';
import { type CelContext, checkExpressionOfChat, maxCost } from '../../lib/cel.js';
import { type FieldError, InvalidInput } from '../../lib/errors.js';
import { eventLoopTurn } from '../../lib/event-loop-turn.js';
import { checkTemplate, renderTemplate } from '../../lib/template.js';

/** What the expressions of a message template see: who is written to, and where. */
export type SeenByTemplates = Pick<CelContext, 'member' | 'chat' | 'now'>;

/** A page of a hundred templates is filled within the budget of one evaluation (docs/decisions/0065-evaluation-has-a-budget.md). */
const maxCostOfTemplate = maxCost / 100;

/** @throws InvalidInput for each text with an expression that is wrong, or names what templates do not see */
export async function checkTexts(texts: Readonly<Record<string, string | undefined>>): Promise<void> {
  const errors: FieldError[] = [];
  for (const [pointer, text] of Object.entries(texts)) {
    if (text === undefined) continue;
    // A text may have a hundred expressions to compile.
    await eventLoopTurn();
    errors.push(...problemsOf(text).map((message) => ({ pointer, message })));
  }
  if (errors.length > 0) throw InvalidInput.fields(errors);
}

function problemsOf(text: string): string[] {
  if (text.trim() === '') return ['must contain text'];
  const checked = checkTemplate(text, { check: checkExpressionOfChat, most: maxCostOfTemplate });
  return checked.ok ? [] : checked.issues.map(({ message, position }) => `${message} (at ${position})`);
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
