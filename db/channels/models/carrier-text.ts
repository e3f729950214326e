import { column, tenantTable } from '../../lib/table.js';

/** A text as the carrier lists it, for what it cost. */
export class CarrierTextModel extends tenantTable('carrier_texts', {
  carrierMessageId: column<string>('id'),
  inbound: column<boolean>(),
  sentAt: column<Date>(),
  segments: column<number>(),
  /** Null until the carrier has billed it. */
  price: column<number | null>('number'),
  priceUnit: column<string | null>('code'),
}) {}
