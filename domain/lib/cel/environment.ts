import { Environment } from '@marcbachmann/cel-js';
import { celVariables } from './context.js';

/**
 * Limits on the size of an expression, checked when it is compiled, because JavaScript cannot interrupt a synchronous
 * evaluation.
 */
export const celLimits = {
  maxLength: 2_000,
  maxMacros: 10,
  maxMacroNesting: 2,
} as const;

const timestamp = 'google.protobuf.Timestamp';
const variableTypes: Record<(typeof celVariables)[number], string> = {
  member: 'map',
  assignment: 'map',
  chat: 'map',
  tasks: 'map',
  call: 'dyn',
  now: timestamp,
};

/**
 * The CEL environment that all expressions share.
 *
 * It declares only the variables of the context. As an extension of the standard, arithmetic may mix `int` and
 * `double`, as comparisons may: authors cannot tell the two types apart in values that come from JSON.
 */
export const environment = createEnvironment();

function createEnvironment(): Environment {
  const created = new Environment({
    homogeneousAggregateLiterals: false,
    limits: { maxAstNodes: 300, maxDepth: 32, maxListElements: 100, maxMapEntries: 50, maxCallArguments: 8 },
  });
  for (const name of celVariables) created.registerVariable(name, variableTypes[name]);
  created.registerFunction(`string(${timestamp}): string`, (moment: Date) => moment.toISOString());

  const arithmetic: Record<string, (left: number, right: number) => number> = {
    '+': (left, right) => left + right,
    '-': (left, right) => left - right,
    '*': (left, right) => left * right,
    '/': (left, right) => left / right,
  };
  for (const [operator, compute] of Object.entries(arithmetic)) {
    for (const operands of [`int ${operator} double`, `double ${operator} int`]) {
      created.registerOperator(`${operands}: double`, (left: bigint | number, right: bigint | number) =>
        compute(Number(left), Number(right)),
      );
    }
  }
  return created;
}
