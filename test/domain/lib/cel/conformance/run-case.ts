import { checkNew, compileIn } from '../../../../../domain/lib/cel/compile.js';
import { createEnvironment } from '../../../../../domain/lib/cel/environment.js';
import type { ConformanceCase } from './cases.js';
import { isValue, readValue, typeNameOf } from './values.js';

interface Outcome {
  passes: boolean;
  /** What the expression came to. */
  got: string;
}

/**
 * Saves and evaluates a case like a condition of a definition, with its variables instead of ours. An error is expected
 * of an expression whether it comes when it is saved or when it is evaluated.
 */
export function runCase(test: ConformanceCase): Outcome {
  const { types, variables } = variablesOf(test);
  const compiled = compileIn(createEnvironment(types), test.expr);
  if (!compiled.ok) return refused(test, compiled.message);
  const issue = checkNew(compiled);
  if (issue) return refused(test, issue.message);

  const { result, deducedType } = test.typedResult ?? {};
  if (deducedType !== undefined && compiled.type !== typeNameOf(deducedType)) {
    return { passes: false, got: `type: ${compiled.type}` };
  }
  if (test.checkOnly) return { passes: true, got: `type: ${compiled.type}` };
  try {
    const value: unknown = compiled.run(variables);
    const isExpected = isValue(value, test.value ?? result ?? { boolValue: true });
    return { passes: test.evalError === undefined && isExpected, got: `value: ${String(value)}` };
  } catch (error) {
    return { passes: test.evalError !== undefined, got: String(error) };
  }
}

function refused(test: ConformanceCase, message: string): Outcome {
  return { passes: test.evalError !== undefined, got: `refused: ${message}` };
}

/** The variables that a case declares or binds. Those that it only binds have no type. */
function variablesOf({ bindings = {}, typeEnv = [] }: ConformanceCase) {
  const types: Record<string, string> = {};
  const variables: Record<string, unknown> = {};
  for (const [name, { value }] of Object.entries(bindings)) {
    types[name] = 'dyn';
    variables[name] = readValue(value);
  }
  for (const { name, ident } of typeEnv) if (ident) types[name] = typeNameOf(ident.type);
  return { types, variables };
}
