import { type Html, html } from '../../http/html.js';
import { form } from './forms.js';
import { type PersonRequest, show } from './page-request.js';

interface Confirmation {
  title: string;
  /** What is known of the thing. */
  facts: readonly (readonly [string, Html | string])[];
  /** What becomes of it. */
  consequence: string;
  /** Where the form goes to. */
  action: string;
  button: string;
  /** Where one goes who changes their mind. */
  back: string;
  /** Whether nothing is lost by it. */
  isHarmless?: boolean;
}

/** Asks before something is done that cannot be taken back. */
export function askFirst(request: PersonRequest, one: Confirmation): void {
  const { title, facts, consequence, action, button, back, isHarmless } = one;
  const { signedIn, language } = request;
  show(request, {
    title,
    content: html`<dl>${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
<p>${consequence}</p>
${form(
  action,
  signedIn.formToken,
  html`<p class="acts"><button${isHarmless ? undefined : html` class="danger"`}>${button}</button>
<a href="${back}" class="button quiet">${language.texts.cancel}</a></p>`,
)}`,
  });
}
