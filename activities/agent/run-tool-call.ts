import { setTimeout as delay } from 'node:timers/promises';
import { cancellationSignal } from '@temporalio/activity';
import type { ClaimedRemoteCall } from '../../domain/agent/remote-tools/claim-remote-call.js';
import type { OutgoingRequest } from '../../domain/agent/requests/claim-request.js';
import {
  bytesToRead,
  isWorthRepeating,
  type RequestAnswer,
} from '../../domain/agent/requests/request-answer.js';
import type { CallAnswer } from '../../domain/agent/tool-calls/call-answer.js';
import type { ToolCallRef } from '../../domain/agent/tool-calls/call-place.js';
import { beginToolCall, recordRequest } from '../../domain/agent/tool-calls/run-tool.js';
import type { ClaimedCall } from '../../domain/agent/tools/tool.js';
import type { ToolOutcome } from '../../workflows/contracts/steps.js';
import { performOnce } from '../kernel/at-most-once.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';
import { withHeartbeat } from '../kernel/with-heartbeat.js';

type Dependencies = Pick<ActivityDependencies, 'db' | 'clock' | 'outreach' | 'agentBudgets' | 'requests'>;

/** The pauses before an idempotent request is sent once more. */
const pausesMs = [1_000, 4_000];

/**
 * Runs a tool call in a transaction. A request to a web service, or a call of a remote tool, is claimed in one, made outside of
 * any, and its answer recorded in another: a crash in between leaves a claim, which the next attempt recognises.
 */
export async function runToolCall(dependencies: Dependencies, ref: ToolCallRef): Promise<ToolOutcome> {
  const context = { ...dependencies, encryption: dependencies.requests.encryption };
  let outcome: ToolOutcome | undefined;
  const performed = await performOnce<{ kind: 'settled'; outcome: ToolOutcome } | ClaimedCall, CallAnswer>({
    claim: (token) => beginToolCall(context, ref, token),
    perform: (claimed) =>
      withHeartbeat(() =>
        'remote' in claimed ? callRemote(dependencies, claimed) : send(dependencies, claimed.request),
      ),
    record: async (act, claim) => {
      if (act.kind === 'done') outcome = await recordRequest(context, ref, claim, act.result);
    },
  });
  if (performed.kind === 'not_claimed') return performed.claim.outcome;
  if (outcome === undefined) throw new Error('the answer to a request was not recorded');
  return outcome;
}

function callRemote({ requests }: Dependencies, { remote }: ClaimedRemoteCall): Promise<CallAnswer> {
  const { server, tool, arguments: input, check } = remote;
  return requests.remoteTools.call({ server, tool, arguments: input, check, signal: cancellationSignal() });
}

async function send({ requests }: Dependencies, request: OutgoingRequest): Promise<RequestAnswer> {
  const { method, url, headers, body, timeoutMs } = request;
  const signal = cancellationSignal();
  const retainBytes = bytesToRead(request);
  const pauses = request.idempotent ? pausesMs : [];
  for (let attempt = 0; ; attempt += 1) {
    const answer = await requests.sender.send({ method, url, headers, body, timeoutMs, retainBytes, signal });
    const pause = pauses[attempt];
    if (pause === undefined || !isWorthRepeating(answer)) return answer;
    await delay(pause, undefined, { signal });
  }
}
