import type { RowOf } from '../lib/table-model.js';
import { statement } from '../statement.js';
import type { Tx } from '../tx.js';
import type { CarrierTextModel } from './models/carrier-text.js';

/** A text as the carrier lists it, with the number of the workspace that sent or received it. */
export interface CarrierText extends Omit<RowOf<CarrierTextModel>, 'id' | 'workspaceId'> {
  number: string;
}

/**
 * Stores texts, and the price of those that are stored; a price that is known stays where none is given. Those from before the
 * workspace had the number are another's: a minute is left to the carrier's clock. @returns how many rows have changed
 */
export async function storeCarrierTexts(tx: Tx, texts: readonly CarrierText[]): Promise<number> {
  const column = <Name extends keyof CarrierText>(name: Name) => texts.map((text) => text[name]);
  const changed = await statement(
    tx,
    `insert into carrier_texts as stored
       (workspace_id, carrier_message_id, inbound, sent_at, segments, price, price_unit)
     select distinct on (listed.id) ?::bigint, listed.id, inbound, sent_at, segments, price, price_unit
     from unnest(?::text[], ?::text[], ?::boolean[], ?::timestamptz[], ?::int[], ?::float8[], ?::text[])
       as listed (number, id, inbound, sent_at, segments, price, price_unit)
     join phone_numbers own on own.number = listed.number
       and listed.sent_at > own.created_at - interval '1 minute'
     order by listed.id
     on conflict (workspace_id, carrier_message_id) do update
     set price = excluded.price, price_unit = excluded.price_unit
     where excluded.price is not null
       and (stored.price, stored.price_unit) is distinct from (excluded.price, excluded.price_unit)
     returning id`,
    [
      tx.workspaceId,
      ...[column('number'), column('carrierMessageId'), column('inbound'), column('sentAt')],
      ...[column('segments'), column('price'), column('priceUnit')],
    ],
  );
  return changed.length;
}
