import { type Html, html } from '../http/html.js';

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
}

/** A labelled field, whose hint and error a screen reader tells with it. */
export function field(one: Field): Html {
  const { name, label, type = 'text', value = '', hint, error } = one;
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ');
  return html`<div class="field"><label for="${name}">${label}</label>
${hint === undefined ? undefined : html`<p class="hint" id="${name}-hint">${hint}</p>`}
${error === undefined ? undefined : html`<p class="error" id="${name}-error">${error}</p>`}
<input id="${name}" name="${name}" type="${type}" value="${value}"${attributes(one, described)}></div>`;
}

function attributes({ required, autocomplete, maxLength, error }: Field, described: string): Html[] {
  return [
    ...(required ? [html` required`] : []),
    ...(autocomplete === undefined ? [] : [html` autocomplete="${autocomplete}"`]),
    ...(maxLength === undefined ? [] : [html` maxlength="${maxLength}"`]),
    ...(described === '' ? [] : [html` aria-describedby="${described}"`]),
    ...(error === undefined ? [] : [html` aria-invalid="true"`]),
  ];
}

export interface Choice {
  value: string;
  label: string;
  hint?: string;
  checked?: boolean;
}

/** A group of check boxes or radio buttons under one legend. */
export function choices(
  type: 'checkbox' | 'radio',
  { name, legend, error }: { name: string; legend: string; error?: string | undefined },
  options: readonly Choice[],
): Html {
  return html`<fieldset${error === undefined ? undefined : html` aria-describedby="${name}-error"`}><legend>${legend}</legend>
${error === undefined ? undefined : html`<p class="error" id="${name}-error">${error}</p>`}
${options.map(({ value, label, hint, checked }, at) => {
  const id = `${name}-${at}`;
  return html`<div class="choice"><input type="${type}" id="${id}" name="${name}" value="${value}"${checked ? html` checked` : undefined}>
<label for="${id}">${label}${hint === undefined ? undefined : html` <span class="hint">${hint}</span>`}</label></div>`;
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
  message?: string;
  fields: Record<string, string>;
}

export const noErrors: FormErrors = { fields: {} };

/** What is wrong, at the top of the page, where a screen reader finds it first. */
export function errorSummary({ message, fields }: FormErrors): Html | undefined {
  const named = Object.entries(fields);
  if (message === undefined && named.length === 0) return undefined;
  return html`<div class="summary" role="alert"><h2>There is a problem</h2>
${message === undefined ? undefined : html`<p>${message}</p>`}
${named.length === 0 ? undefined : html`<ul>${named.map(([name, text]) => html`<li><a href="#${name}">${text}</a></li>`)}</ul>`}</div>`;
}
