import { type Environment, ParseError, type ParseResult } from '@marcbachmann/cel-js';
import { type CelIssue, celLimits, checkLimits } from './environment.js';
import { estimateCost, maxCost } from './estimate-cost.js';
import { type EvaluatorError, explainError } from './explain-error.js';
import { checkMapKeys } from './standard/check-map-keys.js';
import { correct } from './standard/corrections.js';
import { readSource } from './standard/source.js';

export type Refused = { ok: false } & CelIssue;
export type Compiled = { ok: true; run: ParseResult; type: string; cost: number } | Refused;

/** Parses an expression and checks its size, names, patterns and types. The cost is estimated, not checked. */
export function compileIn(environment: Environment, text: string): Compiled {
  const { maxLength } = celLimits;
  const explain = (error: EvaluatorError): Refused => ({
    ok: false,
    ...explainError(environment, text, error),
  });
  if (text.trim() === '') return refuse('The expression is empty');
  if (text.length > maxLength) return refuse(`Longer than ${maxLength} characters`, maxLength);
  try {
    const source = readSource(text, (literal) => environment.parse(literal).ast.args);
    const run = environment.parse(source.text);
    source.restore(run.ast);
    const issue = checkLimits(run.ast);
    if (issue) return { ok: false, ...issue };
    correct(run.ast);
    const types = run.check();
    if (types.valid) return { ok: true, run, type: typeOf(types.type), cost: estimateCost(run.ast) };
    const { code = '', summary = 'Types do not fit', range } = types.error ?? {};
    return explain({ code, summary, range });
  } catch (error) {
    return error instanceof ParseError ? explain(error) : refuse('The expression cannot be parsed');
  }
}

/** What may not be saved any more, but is evaluated where it has been. @returns why it is refused, or null */
export function checkNew({ run, cost }: Extract<Compiled, { ok: true }>): Refused | null {
  const issue = checkMapKeys(run.ast);
  if (issue) return { ok: false, ...issue };
  return cost > maxCost ? refuse('The expression could take too long on long lists or texts') : null;
}

export function refuse(message: string, position = 0): Refused {
  return { ok: false, message, position };
}

/** Elements of an empty list can have any type. */
function typeOf(type = 'dyn'): string {
  return type.replaceAll(/\b[A-Z]\b/g, 'dyn');
}
