import type { Environment } from '@marcbachmann/cel-js';
import type { Duration, UnsignedInt } from '@marcbachmann/cel-js/evaluator';
import { requireInt64 } from './fail.js';
import { formatDuration } from './times.js';

const timestamp = 'google.protobuf.Timestamp';
const duration = 'google.protobuf.Duration';

/** Registers what the standard has beyond the functions of the evaluator, and arithmetic with `int` and `double`. */
export function registerFunctions(environment: Environment): void {
  environment
    .registerFunction(`string(${timestamp}): string`, (moment: Date) => moment.toISOString())
    .registerFunction(`string(${duration}): string`, formatDuration)
    .registerFunction('int(uint): int', (value: UnsignedInt) => requireInt64(value.valueOf()))
    .registerFunction(`int(${timestamp}): int`, (moment: Date) =>
      BigInt(Math.floor(moment.getTime() / 1_000)),
    )
    .registerFunction(`timestamp(${timestamp}): ${timestamp}`, (moment: Date) => moment)
    .registerFunction(`duration(${duration}): ${duration}`, (value: Duration) => value);
  registerArithmetic(environment);
  registerComparisons(environment);
}

/** An extension of the standard: authors cannot tell `int` from `double` in values that come from JSON. */
function registerArithmetic(environment: Environment): void {
  const operations: Record<string, (left: number, right: number) => number> = {
    '+': (left, right) => left + right,
    '-': (left, right) => left - right,
    '*': (left, right) => left * right,
    '/': (left, right) => left / right,
  };
  for (const [operator, compute] of Object.entries(operations)) {
    for (const operands of [`int ${operator} double`, `double ${operator} int`]) {
      environment.registerOperator(`${operands}: double`, (left: bigint | number, right: bigint | number) =>
        compute(Number(left), Number(right)),
      );
    }
  }
}

function registerComparisons(environment: Environment): void {
  environment
    // The values of JavaScript are compared by their size, of whatever type.
    .registerOperator('int == double: bool', (left: bigint, right: number) => Number(left) === right)
    .registerOperator('int == uint: bool', (left: bigint, right: UnsignedInt) => left === right.valueOf())
    .registerOperator(
      'uint == double: bool',
      (left: UnsignedInt, right: number) => Number(left.valueOf()) === right,
    );
  const orders: Record<string, (order: number) => boolean> = {
    '<': (order) => order < 0,
    '<=': (order) => order <= 0,
    '>': (order) => order > 0,
    '>=': (order) => order >= 0,
  };
  for (const [operator, holds] of Object.entries(orders)) {
    environment.registerOperator(`bytes ${operator} bytes: bool`, (left: Uint8Array, right: Uint8Array) =>
      holds(Buffer.compare(left, right)),
    );
  }
}
