import type { Tx } from '../tx.js';
import { EmailModel, type EmailRow } from './models/email.js';

const maxFound = 50;

/** The emails, in either direction, that have one of these Message-IDs, in the order of the ids; the latest first of each. */
export async function findEmailsByMessageIds(tx: Tx, ids: readonly string[]): Promise<EmailRow[]> {
  if (ids.length === 0) return [];
  const given = [...ids];
  const found = await EmailModel.where(
    tx,
    `(direction = 'out' and rfc_message_id = any(?::text[])) or relay_message_id = any(?::text[])
      or (direction = 'in' and rfc_message_id = any(?::text[]))
     order by id desc limit ${maxFound}`,
    [given, given, given],
  );
  const placeOf = ({ rfcMessageId, relayMessageId }: EmailRow) => {
    const places = [rfcMessageId, relayMessageId].flatMap((id) => {
      const place = id === null ? -1 : ids.indexOf(id);
      return place < 0 ? [] : [place];
    });
    return Math.min(...places, ids.length);
  };
  return found.sort((one, other) => placeOf(one) - placeOf(other));
}
