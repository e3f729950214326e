import type { Tx } from '../../../db/tx.js';
import type { RemoteAnswer } from '../../kernel/remote-tools.js';
import { recordServer } from '../remote-tools/record-server.js';
import { resultOfRemote } from '../remote-tools/remote-answer.js';
import { recordSecrets } from '../requests/record-secrets.js';
import { type RequestAnswer, resultOfAnswer } from '../requests/request-answer.js';
import type { ClaimedCall } from '../tools/tool.js';
import type { ToolResult } from '../tools/tool-result.js';

/** What came of a call that was made outside of any transaction. */
export type CallAnswer = RequestAnswer | RemoteAnswer;

function isRemote(answer: CallAnswer): answer is RemoteAnswer {
  return answer.kind !== 'answered' && answer.kind !== 'failed';
}

/** Notes what an answer shows of the one who gave it. */
export async function recordAnswer(
  tx: Tx,
  claimed: ClaimedCall,
  answer: CallAnswer,
  now: Date,
): Promise<void> {
  if ('remote' in claimed && isRemote(answer)) await recordServer(tx, claimed, answer, now);
  if ('request' in claimed && !isRemote(answer)) {
    await recordSecrets(tx, claimed.request.usedSecrets, answer, now);
  }
}

/** What the model is told. */
export function resultOf(claimed: ClaimedCall, answer: CallAnswer): ToolResult {
  if ('remote' in claimed && isRemote(answer)) return resultOfRemote(answer, claimed);
  if ('request' in claimed && !isRemote(answer)) return resultOfAnswer(answer, claimed.request);
  throw new Error('a request was answered as a call of a remote tool, or the other way round');
}
