import Type, { type Static } from 'typebox';
import { Check } from 'typebox/value';
import type { ShownSite } from '../../../domain/sites/public/show-site.js';
import { ThemeSettings } from '../../../domain/sites/themes/theme-settings.js';
import { themes } from '../../../domain/sites/themes/themes.js';
import type { Place } from './document.js';
import { SiteLinks } from './site-paths.js';

/** Styles alone: whoever makes up an address puts no words into the page of somebody else. */
const Look = Type.Partial(Type.Object({ theme: Type.String(), themeSettings: ThemeSettings }));

/** A site in a look that is not saved. What is no look is as it was saved. @param look JSON */
export function inLook(shown: ShownSite, look: string | undefined): ShownSite {
  const { theme = shown.site.theme, themeSettings = shown.site.themeSettings } = readLook(look);
  return { ...shown, site: { ...shown.site, theme, themeSettings } as ShownSite['site'] };
}

function readLook(text = ''): Static<typeof Look> {
  try {
    const look: unknown = JSON.parse(text);
    const isLook = Check(Look, look) && (look.theme === undefined || Object.hasOwn(themes, look.theme));
    return isLook ? look : {};
  } catch {
    return {};
  }
}

/** A place for a preview: its links lead to previews in the same look, and no script runs there, as others may frame it. */
export function placeOfPreview(place: Place, look: string | undefined): Place {
  const { links } = place;
  const query = `preview=true${look === undefined ? '' : `&look=${encodeURIComponent(look)}`}`;
  const preview = { ...links.place, preview: query };
  return { ...place, scripts: [], links: new SiteLinks(preview, links.primaryLocale, links.homePageId) };
}
