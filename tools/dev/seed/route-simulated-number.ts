import { connectionOverrides } from '../../../providers/carrier/carrier.js';

/** Sets the webhook URL of a number in the simulated carrier, as one does in a real carrier's console. */
export async function routeSimulatedNumber(
  carrier: string,
  number: string,
  publicUrl: string,
): Promise<void> {
  const response = await fetch(`${carrier}/simulator/numbers/${encodeURIComponent(number)}`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ smsUrl: `${publicUrl}/api/v2/carrier-messages/inbound${connectionOverrides}` }),
  });
  if (!response.ok) throw new Error(`the simulated carrier answered ${response.status}`);
}
