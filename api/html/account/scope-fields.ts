import { adminPermissions, isScope, type Scope } from '../../../domain/kernel/scopes.js';
import { InvalidInput } from '../../../domain/lib/errors.js';
import { type Html, html } from '../../http/html.js';
import { choices } from './forms.js';
import type { SentForm } from './page-request.js';
import type { Language } from './texts/language.js';
import { type ScopeGroup, scopeGroups } from './texts/scopes.js';

const groupNames = Object.keys(scopeGroups) as ScopeGroup[];

interface ScopeFields {
  legend: string;
  offered: readonly Scope[];
  /** `read`, `all` or `chosen`. */
  access: string;
  chosen: ReadonlySet<string>;
  error?: string | undefined;
}

/** How much may be done: to read, all, or what is chosen by group. */
export function scopeFields(
  language: Language,
  { legend, offered, access, chosen, error }: ScopeFields,
): Html {
  const { texts, scopes } = language;
  const levels = choices('radio', { name: 'access', legend, error, id: 'scopes' }, [
    { value: 'read', label: texts.accessRead, hint: texts.accessReadHint, checked: access === 'read' },
    { value: 'all', label: texts.accessAll, hint: texts.accessAllHint, checked: access === 'all' },
    { value: 'chosen', label: texts.accessChosen, checked: access === 'chosen' },
  ]);
  return html`${levels}<div class="groups">${groupNames.map((group) => {
    const members = inGroup(group, offered);
    if (members.length === 0) return undefined;
    const options = members.map((scope) => ({
      value: scope,
      label: labelOf(language, scope),
      hint: scope,
      checked: chosen.has(scope),
    }));
    return choices(
      'checkbox',
      { name: 'scopes', legend: scopes.groups[group], id: `scopes-${group}` },
      options,
    );
  })}</div>`;
}

/** What an application asks for, as people understand it. */
export function scopeList(language: Language, asked: readonly Scope[]): Html {
  const { scopes, texts } = language;
  return html`${groupNames.map((group) => {
    const members = inGroup(group, asked);
    if (members.length === 0) return undefined;
    return html`<h3>${scopes.groups[group]}</h3>
<ul>${members.map((scope) => html`<li>${labelOf(language, scope)}</li>`)}</ul>`;
  })}
<details><summary>${texts.technicalNames}</summary>${asked.map((scope) => html`<code>${scope}</code> `)}</details>`;
}

/** How many there are, and which. */
export function scopeCount({ texts, scopes }: Language, named: readonly string[]): Html {
  const count = named.length === 1 ? texts.oneScope : texts.manyScopes.replace('{n}', String(named.length));
  const items = named.map(
    (name) => html`<li>${isScope(name) ? scopes.scopes[name] : name} <code>${name}</code></li>`,
  );
  return html`<details><summary>${count}</summary><ul>${items}</ul></details>`;
}

/** The scopes that were chosen. @throws InvalidInput when there are none */
export function scopesIn(form: SentForm, offered: readonly Scope[]): Scope[] {
  const access = form.one('access');
  if (access === 'all') return [...offered];
  if (access === 'read') return offered.filter(isReading);
  const sent = new Set(form.all('scopes'));
  const chosen = offered.filter((scope) => sent.has(scope));
  if (chosen.length === 0) throw InvalidInput.field('/scopes', 'must contain at least one scope');
  return chosen;
}

/** Which level of access these scopes are. */
export function accessOf(scopes: readonly string[], offered: readonly Scope[]): string {
  const has = (wanted: readonly Scope[]) =>
    wanted.length === scopes.length && wanted.every((scope) => scopes.includes(scope));
  if (has(offered)) return 'all';
  return has(offered.filter(isReading)) ? 'read' : 'chosen';
}

function inGroup(group: ScopeGroup, scopes: readonly Scope[]): Scope[] {
  const members: readonly Scope[] = scopeGroups[group];
  return members.filter((scope) => scopes.includes(scope));
}

function isReading(scope: Scope): boolean {
  return scope.endsWith(':read');
}

/** Says in words, and not by colour alone, what changes something and what reaches far. */
function labelOf({ texts, scopes }: Language, scope: Scope): Html {
  const text = scopes.scopes[scope];
  if (adminPermissions.includes(scope))
    return html`${text} <span class="mark far">${texts.farReaching}</span>`;
  return isReading(scope) ? html`${text}` : html`${text} <span class="mark">${texts.changes}</span>`;
}
