import type { Tx } from '../tx.js';
import { UnsubscribeLinkModel, type UnsubscribeLinkRow } from './models/unsubscribe-link.js';

/** The link of an email that is deleted. */
export async function findUnsubscribeLink(
  tx: Tx,
  token: string,
  since: Date,
): Promise<UnsubscribeLinkRow | undefined> {
  return UnsubscribeLinkModel.first(
    tx,
    `token = ? and created_at > ? and not exists (select from emails e where e.unsubscribe_token = token)`,
    [token, since],
  );
}

/** @returns how many were deleted, at most `limit` */
export async function removeUnsubscribeLinks(
  tx: Tx,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const oldest = 'select id from unsubscribe_links where created_at < ? order by created_at limit ?';
  return UnsubscribeLinkModel.deleteWhere(tx, `id in (${oldest})`, [before, limit]);
}
