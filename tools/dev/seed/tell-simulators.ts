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

/** Sets the signing secret of a receiver at the webhook sink, as one configures it in a real receiver. */
export async function tellSinkSecret(sink: string, hook: string, secret: string): Promise<void> {
  const response = await fetch(`${sink}/hooks/${hook}/secret`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ secret }),
  });
  if (!response.ok) throw new Error(`the webhook sink answered ${response.status}`);
}
