import type { HandlerInput } from '../define-route.js';
import { ResponseMismatch } from '../problems/problem.js';
import type { Endpoint } from './endpoint.js';

/** Calls the handler, and checks its answer. */
export async function perform({ route, mismatches }: Endpoint, input: HandlerInput): Promise<unknown> {
  const answer = await route.handler(input);
  const errors = mismatches(answer);
  if (errors.length > 0) throw new ResponseMismatch(route.operationId, errors);
  return answer;
}
