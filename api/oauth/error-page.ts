import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import { html } from '../http/html.js';
import { answerPage } from '../pages/page.js';

/** What a person may do about an error of an authorization request that cannot be sent back to the client. */
const advice: Record<string, string> = {
  invalid_client:
    'The application is not known here. It may have been removed: connect it again from within the application, so that it registers anew.',
  invalid_redirect_uri:
    'The application asked to be called back at an address that is not registered for it. Its maker has to correct that.',
  invalid_request: 'The application sent a request that is not complete. Its maker has to correct that.',
};

/** Shows an error to the person whose browser was sent here. */
export async function oauthErrorPage(ctx: KoaContextWithOIDC, out: ErrorOut): Promise<void> {
  const client = addressOfClient(ctx, out);
  const told = advice[out.error] ?? 'Go back to the application and connect it again.';
  answerPage(ctx, {
    title: 'The application cannot be connected',
    status: ctx.status,
    content: html`<p>${told}</p>
      <dl>
        <dt>Error</dt>
        <dd><code>${out.error}</code></dd>
        <dt>Description</dt>
        <dd>${out.error_description ?? ''}</dd>
      </dl>
      ${client && html`<p><a href="${client.href}" rel="noreferrer">Go back to the application at ${client.host || client.protocol}</a></p>`}`,
  });
}

/** Where the client hears of the error, for a person to follow; undefined unless the address is registered for it. */
function addressOfClient({ oidc }: KoaContextWithOIDC, out: ErrorOut): URL | undefined {
  const { redirect_uri: uri, state } = oidc.params ?? {};
  if (typeof uri !== 'string' || oidc.client?.redirectUriAllowed(uri) !== true) return undefined;
  const address = new URL(uri);
  address.searchParams.set('error', out.error);
  if (out.error_description !== undefined) {
    address.searchParams.set('error_description', out.error_description);
  }
  if (typeof state === 'string') address.searchParams.set('state', state);
  address.searchParams.set('iss', oidc.provider.issuer);
  return address;
}
