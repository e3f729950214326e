import {
  type CelCheck,
  type CelIssue,
  checkExpression,
  evaluateText,
  maxCost,
  type SeenContext,
} from './cel.js';

const maxLength = 20_000;
const maxExpressions = 100;
/** The maximum length of a rendered text, in characters. Values that do not fit are left out. */
const maxRendered = 100_000;

interface TemplateProblem {
  position: number;
  code: string;
}

interface Checks {
  /** How an expression is checked. */
  check?: (expression: string) => CelCheck;
  /** The maximum cost of all expressions, in estimated steps. */
  most?: number;
}

/** Checks a `{{ CEL }}` template before it is saved. Reports every problem, with its position in the whole template. */
export function checkTemplate(
  text: string,
  { check = checkExpression, most = maxCost }: Checks = {},
): { ok: true } | { ok: false; issues: CelIssue[] } {
  if (text.length > maxLength) {
    return { ok: false, issues: [{ message: `Longer than ${maxLength} characters`, position: maxLength }] };
  }
  const { parts, issue } = parseTemplate(text);
  const issues: CelIssue[] = issue ? [issue] : [];
  const expressions = parts.filter((part) => part.kind === 'expression');
  const tooMany = expressions[maxExpressions];
  if (tooMany) {
    issues.push({ message: `More than ${maxExpressions} expressions`, position: tooMany.position });
    return { ok: false, issues };
  }
  let cost = 0;
  for (const part of expressions) {
    const checked = check(part.text);
    if (!checked.ok) issues.push({ message: checked.message, position: part.position + checked.position });
    else cost += checked.cost;
    if (cost > most) {
      issues.push({ message: 'The expressions could together take too long', position: part.position });
      break;
    }
  }
  return issues.length === 0 ? { ok: true } : { ok: false, issues };
}

export function expressionsOf(text: string): string[] {
  return parseTemplate(text).parts.flatMap((part) => (part.kind === 'expression' ? part.text : []));
}

/**
 * Replaces the expressions of a template with their values, escaped for the target. An expression that fails is left
 * out and reported in `problems`: a message with a gap is better than a run that stops.
 */
export function renderTemplate(
  text: string,
  context: SeenContext,
  target: TemplateTarget,
): { text: string; problems: TemplateProblem[] } {
  const { parts, issue } = parseTemplate(text);
  const problems: TemplateProblem[] = issue ? [{ position: issue.position, code: 'invalid_template' }] : [];
  let rendered = '';
  for (const part of parts) {
    if (part.kind === 'text') {
      rendered += part.text;
      continue;
    }
    const value = evaluateText(part.text, context);
    const room = maxRendered - rendered.length;
    if (!value.ok) {
      problems.push({ position: part.position + value.error.position, code: value.error.code });
    } else if (value.value.length > room) {
      problems.push({ position: part.position, code: 'too_long' });
    } else {
      rendered += escapeFor(target, value.value);
    }
  }
  return { text: rendered, problems };
}

/** The channel of a chat, or `plain` for prompts, times and other texts that are not displayed. */
export type TemplateTarget = 'phone-sms' | 'phone-voice' | 'web-chat' | 'email' | 'plain';

/**
 * Escapes a value for its target. Web chat renders markdown; email text is markdown that becomes HTML; SMS is plain
 * text; lines structure a prompt, so a value must not add lines of its own.
 */
function escapeFor(target: TemplateTarget, value: string): string {
  const text = withoutControls(value);
  switch (target) {
    case 'phone-sms':
      return text;
    case 'web-chat':
      return escapeMarkdown(text).replace(/[<>&]/g, '\\$&');
    case 'email':
      return escapeHtml(escapeMarkdown(text));
    case 'phone-voice':
    case 'plain':
      return text.replaceAll('\n', ' ');
  }
}

/** Removes control characters and bidirectional overrides; normalizes line breaks to `\n` and tabs to spaces. */
function withoutControls(text: string): string {
  return text
    .replace(/\r\n?|\u2028|\u2029/g, '\n')
    .replace(/\t/g, ' ')
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (character) => (character === '\n' ? character : ''));
}

/** Escapes only what can start markup, so that the text stays readable. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]#|~!]/g, '\\$&').replace(/^(\s*)([-+=]|\d+(?=[.)]))/gm, escapeLineStart);
}

/** A dash or number at the start of a line would make the line a list item, or the line above it a heading. */
function escapeLineStart(_match: string, blanks: string, marker: string): string {
  return /\d/.test(marker) ? `${blanks}${marker}\\` : `${blanks}\\${marker}`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

interface TemplatePart {
  kind: 'text' | 'expression';
  text: string;
  /** Character offset of the part in the template; for an expression, of its first character after `{{` and blanks. */
  position: number;
}

/** Braces of map literals and inside strings do not end an expression. What follows an unclosed `{{` is left out. */
function parseTemplate(template: string): { parts: TemplatePart[]; issue: CelIssue | null } {
  const parts: TemplatePart[] = [];
  let at = 0;
  while (at < template.length) {
    const open = template.indexOf('{{', at);
    const textEnd = open === -1 ? template.length : open;
    if (textEnd > at) parts.push({ kind: 'text', text: template.slice(at, textEnd), position: at });
    if (open === -1) break;
    const close = findEnd(template, open + 2);
    if (close === -1) return { parts, issue: { message: '{{ is not closed by }}', position: open } };
    const inner = template.slice(open + 2, close);
    const blanks = inner.length - inner.trimStart().length;
    parts.push({ kind: 'expression', text: inner.trim(), position: open + 2 + blanks });
    at = close + 2;
  }
  return { parts, issue: null };
}

/** The offset of the `}}` that ends the expression starting at `from`, or -1. */
function findEnd(template: string, from: number): number {
  let depth = 0;
  for (let at = from; at < template.length; at += 1) {
    const character = template.charAt(at);
    if (character === '"' || character === "'") {
      at = endOfString(template, at, character);
    } else if (character === '{') {
      depth += 1;
    } else if (character === '}') {
      if (depth === 0) return template.charAt(at + 1) === '}' ? at : -1;
      depth -= 1;
    }
  }
  return -1;
}

/** The offset of the quote that closes the string literal at `open`, or the end of the template. */
function endOfString(template: string, open: number, quote: string): number {
  for (let at = open + 1; at < template.length; at += 1) {
    if (template.charAt(at) === '\\') at += 1;
    else if (template.charAt(at) === quote) return at;
  }
  return template.length;
}
