import type { SiteAddresses } from '../../../../domain/sites/site-addresses.js';
import type { SiteView } from '../../../../domain/sites/sites/site-view.js';
import { resolveThemeSettings } from '../../../../domain/sites/themes/theme-settings.js';
import { themes } from '../../../../domain/sites/themes/themes.js';
import type { SiteResponse } from './schemas.js';

/** A site as its caller may see it: visitors and members who do not work on sites get nothing that only its team needs. */
export function presentSite(addresses: SiteAddresses) {
  return (site: SiteView): SiteResponse => ({
    ...presentToReaders(addresses, site),
    ...(site.authorized ? { permissions: site.permissions } : {}),
    ...(site.isForTeam ? presentToTeam(site) : {}),
  });
}

function presentToTeam(site: SiteView): Partial<SiteResponse> {
  return {
    customDomain: site.domain?.domain ?? null,
    pageCount: site.pageCount,
    signupMemberRoleId: site.signupMemberRoleId,
    signupMemberRoleName: site.signupMemberRoleName,
    ownerId: site.ownerMemberId,
    defaultWorkflowId: site.defaultDefinitionId,
    defaultAssistantMemberId: site.defaultAssistantMemberId,
    chatGreeting: site.chatGreeting,
    chatGreetingTranslations: site.chatGreetingTranslations,
    chatShowsNames: site.chatShowsNames,
    visitorChatsPerDay: site.visitorChatsPerDay,
    assetsFolderId: site.assetsFolderId,
    sourceFolderId: site.sourceFolderId,
    sourceReleaseId: site.sourceReleaseId,
    crawl: site.crawl,
    crawlUrl: site.crawlUrl,
    crawlStartedAt: site.crawlStartedAt?.toISOString() ?? null,
    crawlCompletedAt: site.crawlCompletedAt?.toISOString() ?? null,
    crawlCompleted: site.crawlCompleted,
    crawlFailedAt: site.crawlFailedAt?.toISOString() ?? null,
    crawlError: site.crawlError,
    crawlExcludedTags: site.crawlExcludedTags,
    crawlJobId: site.crawlJobId,
    crawlPrevious: site.crawlPrevious,
    crawlLimit: site.crawlLimit,
  };
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
    createdAt: site.createdAt.toISOString(),
    updatedAt: site.updatedAt.toISOString(),
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
