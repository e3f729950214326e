import { type Html, html } from '../../http/html.js';
import { filled, type Language } from './texts/language.js';

export interface Field {
  name: string;
  label: string;
  type?: 'text' | 'email' | 'tel' | 'url' | 'date' | 'number';
  value?: string;
  /** A sentence below the label. */
  hint?: string;
  required?: boolean;
  autocomplete?: string;
  maxLength?: number;
  /** What is wrong with what was entered. */
  error?: string | undefined;
  /** The person is here for this field alone. */
  autofocus?: boolean;
  /** Digits are entered. */
  numeric?: boolean;
  /** What may be entered, to choose from. */
  suggestions?: readonly string[];
}

/** A labelled field, whose hint and error a screen reader tells with it. */
export function field(one: Field): Html {
  const { name, type = 'text', value = '', suggestions } = one;
  const list = suggestions === undefined ? undefined : html` list="${name}-list"`;
  return labelled(
    one,
    html`<input id="${name}" name="${name}" type="${type}" value="${value}"${attributes(one)}${list}>${
      suggestions &&
      html`<datalist id="${name}-list">${suggestions.map((text) => html`<option value="${text}">`)}</datalist>`
    }`,
  );
}

/** A field of several lines. */
export function textArea(one: Field): Html {
  const { name, value = '' } = one;
  const area = html`<textarea id="${name}" name="${name}" rows="4"${attributes(one)}>${value}</textarea>`;
  return labelled(one, area);
}

/** One of a list. */
export function select(one: Field, options: readonly { value: string; label: string }[]): Html {
  const { name, value: chosen } = one;
  return labelled(
    one,
    html`<select id="${name}" name="${name}"${attributes(one)}>${options.map(
      ({ value, label }) =>
        html`<option value="${value}"${value === chosen ? html` selected` : undefined}>${label}</option>`,
    )}</select>`,
  );
}

/** What is shown once, to be copied: in a field, keys select it and nothing else. */
export function copyField({ name, label, value = '', autofocus }: Field): Html {
  const focused = autofocus ? html` autofocus` : undefined;
  return labelled(
    { name, label },
    html`<input class="secret" id="${name}" type="text" readonly${focused} value="${value}" spellcheck="false">`,
  );
}

function labelled({ name, label, hint, error }: Field, control: Html): Html {
  return html`<div class="field"><label for="${name}">${label}</label>
${hint === undefined ? undefined : html`<p class="hint" id="${name}-hint">${hint}</p>`}
${error === undefined ? undefined : errorOf(name, error)}
${control}</div>`;
}

function errorOf(name: string, error: string): Html {
  return html`<p class="error" id="${name}-error">${error}</p>`;
}

function attributes(one: Field): Html[] {
  const { name, hint, required, autocomplete, maxLength, error, autofocus, numeric } = one;
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ');
  return [
    ...(required ? [html` required`] : []),
    ...(autofocus && error === undefined ? [html` autofocus`] : []),
    ...(numeric ? [html` inputmode="numeric" class="short"`] : []),
    ...(autocomplete === undefined ? [] : [html` autocomplete="${autocomplete}"`]),
    ...(maxLength === undefined ? [] : [html` maxlength="${maxLength}"`]),
    ...(described === '' ? [] : [html` aria-describedby="${described}"`]),
    ...(error === undefined ? [] : [html` aria-invalid="true"`]),
  ];
}

export interface Choice {
  value: string;
  label: string | Html;
  hint?: string;
  checked?: boolean;
}

/** A group of check boxes or radio buttons under one legend. */
export function choices(
  type: 'checkbox' | 'radio',
  {
    name,
    legend,
    error,
    id = name,
  }: { name: string; legend: string; error?: string | undefined; id?: string },
  options: readonly Choice[],
): Html {
  const described = error === undefined ? undefined : html` aria-describedby="${name}-error"`;
  return html`<fieldset${described} id="${id}" tabindex="-1"><legend>${legend}</legend>
${error === undefined ? undefined : errorOf(name, error)}
${options.map(({ value, label, hint, checked }, at) => {
  const own = `${id}-${at}`;
  return html`<div class="choice"><input type="${type}" id="${own}" name="${name}" value="${value}"${checked ? html` checked` : undefined}>
<label for="${own}">${label}${hint === undefined ? undefined : html` <span class="hint">${hint}</span>`}</label></div>`;
})}</fieldset>`;
}

/** A form that is sent to this service, with the token that shows that its page came from here. */
export function form(action: string, formToken: string, content: Html): Html {
  return html`<form method="post" action="${action}">
<input type="hidden" name="formToken" value="${formToken}">
${content}</form>`;
}

export interface FormErrors {
  /** About no field. */
  message?: string | Html;
  fields: Record<string, string>;
}

export const noErrors: FormErrors = { fields: {} };

/** What is wrong, at the top of the page. It takes the focus, so that a screen reader begins there. */
export function errorSummary({ texts }: Language, { message, fields }: FormErrors): Html | undefined {
  const named = Object.entries(fields);
  if (message === undefined && named.length === 0) return undefined;
  return html`<div class="summary" role="group" aria-labelledby="problem" tabindex="-1" autofocus><h2 id="problem">${texts.problem}</h2>
${message === undefined ? undefined : html`<p>${message}</p>`}
${named.length === 0 ? undefined : html`<ul>${named.map(([name, text]) => html`<li><a href="#${name}">${text}</a></li>`)}</ul>`}</div>`;
}

/** The label of a field that may be left empty. */
export function optional({ texts }: Language, label: string): string {
  return filled(texts.optional, { label });
}
