import type { NoticeText } from '../../../db/identity/models/workspace.js';
import { type FieldError, InvalidInput } from '../../lib/errors.js';
import { carrierLanguage } from '../../lib/locales.js';
import { checkLocaleAndTimezone } from './workspace-attributes.js';

/** Brings the locales of notices to canonical form. @throws InvalidInput */
export function checkRecordingNotice(
  given: Readonly<Record<string, NoticeText>>,
): Record<string, NoticeText> {
  const checked: Record<string, NoticeText> = {};
  const errors: FieldError[] = [];
  for (const [name, { text, question }] of Object.entries(given)) {
    const pointer = `/recordingNotice/${name}`;
    const tag = { locale: name };
    if (checkLocaleAndTimezone(tag).length > 0 || carrierLanguage(name) === undefined) {
      errors.push({ pointer, message: 'must be named by a language tag such as en-US' });
    } else if (Object.hasOwn(checked, tag.locale)) {
      errors.push({ pointer, message: 'is there twice' });
    } else if (text.trim() === '' || question?.trim() === '') {
      errors.push({ pointer, message: 'must have words' });
    } else {
      checked[tag.locale] = { text: text.trim(), ...(question && { question: question.trim() }) };
    }
  }
  if (errors.length > 0) throw InvalidInput.fields(errors);
  return checked;
}
