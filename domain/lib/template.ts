import { type CelContext, type CelIssue, checkExpression, evaluateText, maxCost } from './cel.js';
import { escapeFor, type TemplateTarget } from './template/escape.js';
import { parseTemplate } from './template/parse.js';

export type { TemplateTarget } from './template/escape.js';

const maxLength = 20_000;
const maxExpressions = 100;
/** The maximum length of a rendered text, in characters. Values that do not fit are left out. */
const maxRendered = 100_000;

export interface TemplateProblem {
  /** Character offset in the template, from 0. */
  position: number;
  code: string;
}

/** Checks a `{{ CEL }}` template before it is saved. Reports every problem, with its position in the whole template. */
export function checkTemplate(text: string): { ok: true } | { ok: false; issues: CelIssue[] } {
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
    const checked = checkExpression(part.text);
    if (!checked.ok) {
      issues.push({ message: checked.message, position: part.position + checked.position });
    } else {
      cost += checked.cost;
      if (cost > maxCost) {
        issues.push({ message: 'The expressions could together take too long', position: part.position });
        break;
      }
    }
  }
  return issues.length === 0 ? { ok: true } : { ok: false, issues };
}

/** The expressions of a template, in order. */
export function expressionsOf(text: string): string[] {
  return parseTemplate(text).parts.flatMap((part) => (part.kind === 'expression' ? part.text : []));
}

/**
 * Replaces the expressions of a template with their values, escaped for the target. An expression that fails is left
 * out and reported in `problems`: a message with a gap is better than a run that stops.
 */
export function renderTemplate(
  text: string,
  context: CelContext,
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
