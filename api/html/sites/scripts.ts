import { createHmac } from 'node:crypto';
import type { SiteRow } from '../../../db/sites/models/site.js';
import type { SiteStanding } from '../../../domain/sites/public/show-site.js';
import { Html, html } from '../../http/html.js';
import { chatWidgetTag } from '../../widget/chat-widget-tag.js';

/** What a page loads beside itself. */
export interface PageScripts {
  /** Elements for the end of the page, which carry the nonce. */
  tags: (nonce: string) => Html;
  /** Sources of scripts that these scripts load, and what they may connect to. */
  scriptSources: readonly string[];
  connectSources: readonly string[];
}

const idForm = /^(G|UA|GT|AW)-[A-Z0-9-]{4,20}$/;
const tagManager = 'https://www.googletagmanager.com';

/** The chat of visitors, where a site offers one (docs/web-chat.md). @param publicUrl of the service */
export function chatOf(
  site: SiteRow,
  { siteUuid, workspaceUuid }: SiteStanding,
  publicUrl: string,
): PageScripts | undefined {
  const { defaultDefinitionId, defaultAssistantMemberId } = site;
  if (!site.isPublic || (defaultDefinitionId ?? defaultAssistantMemberId) === null) return undefined;
  if (site.visitorChatsPerDay === 0) return undefined;
  return {
    tags: (nonce) => html`${chatWidgetTag({ siteUuid, workspaceUuid, publicUrl, nonce })}\n`,
    scriptSources: [],
    connectSources: [publicUrl],
  };
}

/** Google's script with the ids of a site, which it has only where its editors have set them. */
export function analyticsOf({
  googleAnalyticsId,
  googleAdwordsId,
}: Pick<SiteRow, 'googleAnalyticsId' | 'googleAdwordsId'>): PageScripts | undefined {
  const ids = [googleAnalyticsId, googleAdwordsId].filter(
    (id): id is string => id !== null && idForm.test(id),
  );
  const [first] = ids;
  if (first === undefined) return undefined;
  const configured = ids.map((id) => `gtag('config','${id}');`).join('');
  return {
    tags: (nonce) => html`<script nonce="${nonce}" async src="${tagManager}/gtag/js?id=${first}"></script>
<script nonce="${nonce}">window.dataLayer=window.dataLayer||[];function gtag(){dataLayer.push(arguments)}gtag('js',new Date());${scriptText(configured)}</script>
`,
    scriptSources: [tagManager],
    connectSources: [
      tagManager,
      'https://*.google-analytics.com',
      'https://*.analytics.google.com',
      'https://*.googletagmanager.com',
      ...(googleAdwordsId === null ? [] : ['https://www.google.com', 'https://googleads.g.doubleclick.net']),
    ],
  };
}

/** Of checked ids only, which have no character that HTML escapes. */
function scriptText(text: string): Html {
  return new Html(text);
}

/**
 * The nonce of a page. It is made of all that the page has, by a secret: a 304 leaves both the page and the policy in the browser as
 * they belong together, and nobody who writes into a page knows the nonce that the page will have.
 */
export function nonceOf(secret: string, page: string): string {
  return createHmac('sha256', secret)
    .update('nonce of a page\n')
    .update(page)
    .digest('base64url')
    .slice(0, 32);
}
