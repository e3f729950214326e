import type { SiteRow } from '../../../db/sites/models/site.js';
import { html } from '../../http/html.js';
import { type Answer, answerOf } from './answer.js';
import { mainColors } from './styles.js';

/** Icons change seldom, and browsers ask for them on each page. */
export const iconCaching = 'public, max-age=3600';

const headers = {
  'Content-Type': 'image/svg+xml',
  'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'Cache-Control': iconCaching,
};

/** The icon of a site that has none of its own: the first letter of its name in the colours of its theme. */
export function writeIcon(site: Pick<SiteRow, 'name' | 'theme' | 'themeSettings'>): Answer {
  const { primary, onPrimary } = mainColors(site);
  const letter = /[\p{L}\p{N}]\p{M}{0,2}/u.exec(site.name.normalize())?.[0].toUpperCase() ?? '';
  const text =
    html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="12" fill="${primary}"/><text x="32" y="45" font-family="sans-serif" font-size="38" font-weight="700" text-anchor="middle" fill="${onPrimary}">${letter}</text></svg>
`.text;
  return answerOf(text, headers);
}
