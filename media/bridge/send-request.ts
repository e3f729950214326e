import { setTimeout as delay } from 'node:timers/promises';
import type { ClaimedRequest } from '../../domain/agent/requests/claim-request.js';
import {
  bytesToRead,
  isWorthRepeating,
  type RequestAnswer,
} from '../../domain/agent/requests/request-answer.js';
import type { RequestSender } from '../../providers/requests/request-sender.js';

/** The pause before an idempotent request is sent once more: a caller waits. */
const pauseMs = 500;

/** Sends requests of tools that were called on the phone, also if the caller hangs up meanwhile. */
export function requestsOfCalls(sender: RequestSender): (claimed: ClaimedRequest) => Promise<RequestAnswer> {
  return async ({ request }) => {
    const { method, url, headers, body, timeoutMs, idempotent } = request;
    const retainBytes = bytesToRead(request);
    const send = () => sender.send({ method, url, headers, body, timeoutMs, retainBytes });
    const answer = await send();
    if (!idempotent || !isWorthRepeating(answer)) return answer;
    await delay(pauseMs);
    return send();
  };
}
