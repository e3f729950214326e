import { type Html, html } from '../http/html.js';
import { widgetPath } from './serve-widget.js';

/** What the tag says: for whom it is, and where the service is. */
export interface WidgetSite {
  /** UUID of the site. */
  siteUuid: string;
  workspaceUuid: string;
  /** Address of the service without a trailing slash: pages at a custom domain load the script from there. */
  publicUrl: string;
  /** Of the policy of the page. */
  nonce: string;
}

/**
 * The last element of a page whose site offers its visitors a chat. The policy of the page has to allow scripts by the nonce, and
 * connections to the service.
 */
export function chatWidgetTag({ siteUuid, workspaceUuid, publicUrl, nonce }: WidgetSite): Html {
  const src = `${publicUrl}${widgetPath}/chat.js`;
  return html`<script type="module" src="${src}" data-site="${siteUuid}" data-workspace="${workspaceUuid}" nonce="${nonce}"></script>`;
}
