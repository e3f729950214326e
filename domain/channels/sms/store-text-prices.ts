import { type CarrierText, storeCarrierTexts } from '../../../db/channels/carrier-texts.js';
import type { ServiceContext } from '../../kernel/context.js';

/** By this name `identity.walks` has the time of which the carrier's list has been read. */
export const pricesOfTexts = 'text_prices';

/** A text of either direction, as the carrier bills it. */
export interface BilledText
  extends Pick<CarrierText, 'carrierMessageId' | 'inbound' | 'sentAt' | 'segments'> {
  from: string;
  to: string;
  /** Absent until it is billed. */
  price?: { amount: string; currency: string };
}

/**
 * Stores what texts have cost with the workspaces whose numbers sent or received them, whatever made them: the carrier also
 * bills attempts that were repeated, and answers of its own. Others of the account are left. @returns how many rows have changed
 */
export async function storeTextPrices({ db }: ServiceContext, texts: readonly BilledText[]): Promise<number> {
  if (texts.length === 0) return 0;
  const numbered = texts.map(({ from, to, price, ...text }) => ({
    ...text,
    number: text.inbound ? to : from,
    price: price === undefined ? null : Number(price.amount),
    priceUnit: price?.currency ?? null,
  }));
  const routes = await db.identity.phoneNumberRoutes.findMany([
    ...new Set(numbered.map(({ number }) => number)),
  ]);
  let changed = 0;
  for (const workspaceId of new Set([...routes.values()].map((route) => route.workspaceId))) {
    const ours = numbered.filter(({ number }) => routes.get(number)?.workspaceId === workspaceId);
    changed += await db.inWorkspace(workspaceId, (tx) => storeCarrierTexts(tx, ours));
  }
  return changed;
}
