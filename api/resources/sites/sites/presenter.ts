import type { SiteAddresses } from '../../../../domain/sites/site-addresses.js';
import type { SiteView } from '../../../../domain/sites/sites/site-view.js';
import { resolveThemeSettings } from '../../../../domain/sites/themes/theme-settings.js';
import { themes } from '../../../../domain/sites/themes/themes.js';
import type { SiteResponse } from './schemas.js';

/** A site as its caller may see it: visitors and members who do not work on sites get nothing that only its team needs. */
export function presentSite(addresses: SiteAddresses) {
  return (site: SiteView): SiteResponse => ({
    ...(site.isForTeam ? presentToTeam(site) : {}),
    ...presentToReaders(addresses, site),
    ...(site.isForTeam ? { customDomain: site.domain?.domain ?? null } : {}),
    permissions: site.authorized ? site.permissions : undefined,
  });
}

function presentToTeam(site: SiteView) {
  return { ...site, ownerId: site.ownerMemberId, defaultWorkflowId: site.defaultDefinitionId };
}

function presentToReaders(addresses: SiteAddresses, site: SiteView): SiteResponse {
  const { id, uuid, name, slug, theme, themeSettings, content, tagLine, metaDescription, redirectUrl } = site;
  const defaultUrl = addresses.defaultUrl(uuid);
  const mapped = site.domain?.provedAt == null ? null : site.domain.domain;
  return {
    id,
    uuid,
    name,
    slug,
    theme,
    content,
    authorized: site.authorized,
    tagLine,
    metaDescription,
    customDomain: mapped,
    redirectUrl,
    allowSignup: site.allowSignup,
    isMapped: mapped !== null,
    isPublic: site.isPublic,
    isReseller: site.isReseller,
    workspaceName: site.workspaceName,
    url: mapped === null ? defaultUrl : `https://${mapped}`,
    createdAt: site.createdAt,
    updatedAt: site.updatedAt,
    workspaceUuid: site.workspaceUuid,
    defaultUrl,
    homePageId: site.homePageId,
    themeSettings,
    resolvedThemeSettings: resolveThemeSettings(themes[theme].defaults, themeSettings),
    primaryLocale: site.primaryLocale,
    availableLocales: site.availableLocales,
    googleAnalyticsId: site.googleAnalyticsId,
    googleAdwordsId: site.googleAdwordsId,
    organizationLogoUrl: logoUrl(addresses, site),
  };
}

function logoUrl(addresses: SiteAddresses, { logo }: SiteView): string | null {
  if (logo === undefined) return null;
  const { id: fileId, filename } = logo.file;
  return addresses.publicFile({ workspaceUuid: logo.workspaceUuid, fileId, filename });
}
