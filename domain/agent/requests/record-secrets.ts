import { recordRefusal, recordTaken, type UsedSecret } from '../../../db/definitions/secrets.js';
import type { Tx } from '../../../db/tx.js';
import { notifyAdmins } from '../../events/event-rules/notify-admins.js';
import type { RequestAnswer } from './request-answer.js';

/**
 * Notes whether a web service has taken the secrets of a request. Admins are told by mail of a secret that is refused (401):
 * once, until it is taken again or has a new value.
 */
export async function recordSecrets(
  tx: Tx,
  used: readonly UsedSecret[],
  answer: RequestAnswer,
  now: Date,
): Promise<void> {
  if (answer.kind !== 'answered' || used.length === 0) return;
  if (answer.status >= 200 && answer.status < 300) {
    await recordTaken(
      tx,
      used.map(({ id }) => id),
    );
    return;
  }
  // 403 is often about what the arguments name, which the member has a say in.
  if (answer.status !== 401) return;
  const refused = await recordRefusal(tx, used, now);
  if (refused.length === 0) return;
  const abouts = refused.map((secretId) => ({ secretId, reason: 'secret_refused' }) as const);
  await notifyAdmins(tx, abouts, now);
}
