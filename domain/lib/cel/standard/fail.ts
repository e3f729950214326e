import { EvaluationError } from '@marcbachmann/cel-js';

/** Ends an evaluation. The message says no more than the code, because data must not be quoted. */
export function fail(code: string): never {
  throw new EvaluationError({ code, message: code.replaceAll('_', ' ') });
}

export function requireInt64(value: bigint): bigint {
  return BigInt.asIntN(64, value) === value ? value : fail('numeric_overflow');
}
