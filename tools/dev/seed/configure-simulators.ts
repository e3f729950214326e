import { demo } from '../../../api/http/demo.js';
import { connectionOverrides } from '../../../providers/carrier/carrier.js';

export const clinicNumber = '+15550100100';

/** The receiver of the records' webhooks at the sink. */
export const recordsHook = 'records';

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
export async function setSinkSecret(sink: string, hook: string, secret: string): Promise<void> {
  await put('webhook sink', `${sink}/hooks/${hook}/secret`, { secret });
}

/** Registers the client of the demo organization at its simulated identity provider, which knows some people of the demo. */
export async function configureIdentityProvider(provider: string, publicUrl: string): Promise<void> {
  const redirectUris = [`${publicUrl}/api/v2/o/${demo.organizationUuid}/sso/callback`];
  await put('identity provider', `${provider}/simulator/clients/${demoClient.id}`, {
    secret: demoClient.secret,
    redirectUris,
  });
  for (const [subject, name] of [
    ['kim', 'Kim Colleague'],
    ['robin', 'Robin Colleague'],
  ]) {
    const person = { name, email: `${subject}@${demoClient.emailDomain}` };
    await put('identity provider', `${provider}/simulator/people/${subject}`, person);
  }
}

/** The client of the demo organization at its identity provider. */
export const demoClient = {
  id: 'demo-health',
  secret: 'the secret of the demo client',
  emailDomain: 'clinic.example',
};

async function put(simulator: string, url: string, body: object): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(url, { method: 'PUT', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`the ${simulator} answered ${response.status}`);
}
