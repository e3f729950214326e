import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import { answerPage } from '../html/account/page.js';
import { filled, languageOf } from '../html/account/texts/language.js';
import { html } from '../http/html.js';

/** What a person may do about an error of an authorization request that cannot be sent back to the client. */
const advice = {
  invalid_client: 'appUnknown',
  invalid_redirect_uri: 'appRedirect',
  invalid_request: 'appIncomplete',
} as const;

/** Shows an error to the person whose browser was sent here. */
export async function oauthErrorPage(ctx: KoaContextWithOIDC, out: ErrorOut): Promise<void> {
  const client = addressOfClient(ctx, out);
  const language = languageOf(ctx);
  const { texts } = language;
  const told = texts[isAdvised(out.error) ? advice[out.error] : 'appAgain'];
  const host = client?.host || client?.protocol || '';
  answerPage(ctx, {
    title: texts.appRefusedTitle,
    status: ctx.status,
    language,
    content: html`<p>${told}</p>
      <dl lang="en">
        <dt>${texts.error}</dt>
        <dd><code>${out.error}</code></dd>
        <dt>${texts.description}</dt>
        <dd>${out.error_description ?? ''}</dd>
      </dl>
      ${client && html`<p><a href="${client.href}" class="button" rel="noreferrer">${filled(texts.backToApp, { host })}</a></p>`}`,
  });
}

function isAdvised(error: string): error is keyof typeof advice {
  return Object.hasOwn(advice, error);
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
