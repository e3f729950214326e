import { connectionOverrides } from '../../../providers/carrier/carrier.js';

/** Sets the webhook URLs of a number in the simulated carrier, as one does in a real carrier's console. */
export async function routeSimulatedNumber(
  carrier: string,
  number: string,
  publicUrl: string,
): Promise<void> {
  const smsUrl = `${publicUrl}/api/v2/carrier-messages/inbound${connectionOverrides}`;
  const voiceUrl = `${publicUrl}/api/v2/carrier-calls/inbound${connectionOverrides}`;
  await put('simulated carrier', `${carrier}/simulator/numbers/${encodeURIComponent(number)}`, {
    smsUrl,
    voiceUrl,
    voiceStatusUrl: `${publicUrl}/api/v2/carrier-calls/status`,
  });
}

/** Sets the signing secret of a receiver at the webhook sink, as one configures it in a real receiver. */
export async function tellSinkSecret(sink: string, hook: string, secret: string): Promise<void> {
  await put('webhook sink', `${sink}/hooks/${hook}/secret`, { secret });
}

async function put(simulator: string, url: string, body: object): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(url, { method: 'PUT', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`the ${simulator} answered ${response.status}`);
}
