import type { Html } from '../../http/html.js';
import { field } from './forms.js';
import type { SentForm } from './page-request.js';
import type { Language } from './texts/language.js';

/** As people copy codes out of messages: with spaces, or a dash. */
const maxOfCode = 20;

/** The field for a code that was sent to an address. */
export function codeField({ texts }: Language, error: string | undefined): Html {
  return field({
    name: 'code',
    label: texts.codeLabel,
    required: true,
    autofocus: true,
    numeric: true,
    autocomplete: 'one-time-code',
    maxLength: maxOfCode,
    error,
  });
}

/** The digits of a code. */
export function codeIn(form: SentForm): string {
  return form.one('code').replace(/[\s-]/g, '');
}
