import { setTimeout as delay } from 'node:timers/promises';
import {
  bytesToRead,
  isWorthRepeating,
  type RequestAnswer,
} from '../../domain/agent/requests/request-answer.js';
import type { ClaimedCall } from '../../domain/agent/tools/tool.js';
import type { RequestSender } from '../../providers/requests/request-sender.js';

/** Somebody on the phone waits: an idempotent request is sent once more, soon. */
const pauseMs = 500;

/** Sends the request of a tool to a web service. */
export async function sendRequest(sender: RequestSender, claimed: ClaimedCall): Promise<RequestAnswer> {
  if (!('request' in claimed)) throw new Error('remote tools are not offered in calls');
  const { request } = claimed;
  const { method, url, headers, body, timeoutMs, idempotent } = request;
  const send = () =>
    sender.send({ method, url, headers, body, timeoutMs, retainBytes: bytesToRead(request) });
  const answer = await send();
  if (!idempotent || !isWorthRepeating(answer)) return answer;
  await delay(pauseMs);
  return send();
}
