import { findWorkflowDefinition } from '../../../db/definitions/workflow-definitions.js';
import { pinFolder } from '../../../db/files/folders.js';
import { pinMemberRoles } from '../../../db/people/member-roles.js';
import { findMember } from '../../../db/people/members.js';
import type { SiteRow, SiteTheme, SiteValues } from '../../../db/sites/sites.js';
import type { Tx } from '../../../db/tx.js';
import type { Actor } from '../../kernel/actor.js';
import { isAdminRole } from '../../kernel/scopes.js';
import { readerOf } from '../../kernel/who-reads.js';
import { type FieldError, InvalidInput } from '../../lib/errors.js';
import { canonicalLocale } from '../../lib/locales.js';
import { parseUrl } from '../../lib/parse-url.js';
import { mappingUniqueViolation } from '../../lib/unique-violation.js';
import { requireCovers } from '../../people/member-roles/role-grants.js';
import { notCrawlable, readCrawlUrl, tagsOf } from '../crawl/crawl-url.js';
import type { ThemeSettings } from '../themes/theme-settings.js';

export const maxSites = 100;
export const maxLocales = 20;

/** What a client says of a site. */
export interface SiteInput {
  name?: string;
  slug?: string;
  theme?: SiteTheme;
  /** Replaces all settings. */
  themeSettings?: ThemeSettings;
  content?: string | null;
  tagLine?: string | null;
  metaDescription?: string | null;
  redirectUrl?: string | null;
  isPublic?: boolean;
  isReseller?: boolean;
  allowSignup?: boolean;
  signupMemberRoleId?: number | null;
  ownerId?: number;
  defaultWorkflowId?: number | null;
  defaultAssistantMemberId?: number | null;
  chatGreeting?: string | null;
  /** Replaces all of them. */
  chatGreetingTranslations?: Record<string, string>;
  chatShowsNames?: boolean;
  visitorChatsPerDay?: number;
  assetsFolderId?: number | null;
  sourceFolderId?: number | null;
  sourceReleaseId?: number | null;
  primaryLocale?: string;
  availableLocales?: string[];
  googleAnalyticsId?: string | null;
  googleAdwordsId?: string | null;
  /** The site that is crawled next, how many pages of it, and which elements of them are not read. */
  crawlUrl?: string | null;
  crawlLimit?: number | null;
  crawlExcludedTags?: string[];
}

type Locales = Pick<SiteRow, 'primaryLocale' | 'availableLocales'>;

/**
 * The values of a site to store, checked. @param before those of the site as it is, or the defaults of a new one
 * @throws InvalidInput with every problem, Forbidden for a role that the caller does not cover
 */
export async function siteValues(
  tx: Tx,
  actor: Actor,
  input: SiteInput,
  before: Locales,
): Promise<SiteValues> {
  const { ownerId, defaultWorkflowId, primaryLocale, availableLocales, ...same } = input;
  const locales = localesOf({ primaryLocale, availableLocales }, before);
  const greetings = greetingsOf(input.chatGreetingTranslations ?? {});
  const errors = [
    ...locales.errors,
    ...addressProblems(input.redirectUrl),
    ...crawlProblems(input.crawlUrl),
    ...greetings.errors,
    ...(await missing(tx, actor, input)),
  ];
  if (errors.length > 0) throw InvalidInput.fields(errors);
  return {
    ...same,
    ...(ownerId === undefined ? {} : { ownerMemberId: ownerId }),
    ...(defaultWorkflowId === undefined ? {} : { defaultDefinitionId: defaultWorkflowId }),
    ...(primaryLocale === undefined && availableLocales === undefined ? {} : locales.values),
    ...(input.chatGreetingTranslations === undefined ? {} : { chatGreetingTranslations: greetings.values }),
    ...(input.crawlExcludedTags === undefined ? {} : { crawlExcludedTags: tagsOf(input.crawlExcludedTags) }),
  };
}

/** Visitors are sent there, so it has to be an address that a browser opens, and that nobody's password is in. */
function addressProblems(redirectUrl: string | null | undefined): FieldError[] {
  if (redirectUrl == null) return [];
  const url = parseUrl(redirectUrl);
  const isUsable = url?.protocol === 'https:' && url.username === '' && url.password === '';
  return isUsable
    ? []
    : [{ pointer: '/redirectUrl', message: 'must be an address that begins with https://' }];
}

/** Whether it may be asked is checked when a crawl starts: that asks the DNS. */
function crawlProblems(crawlUrl: string | null | undefined): FieldError[] {
  if (crawlUrl == null || readCrawlUrl(crawlUrl) !== undefined) return [];
  return [{ pointer: '/crawlUrl', message: notCrawlable }];
}

/** Of a page in any language, also in one that the site's own pages do not have: the chat is on pages of others as well. */
function greetingsOf(given: Record<string, string>): {
  values: Record<string, string>;
  errors: FieldError[];
} {
  const errors: FieldError[] = [];
  const values: Record<string, string> = {};
  for (const [locale, text] of Object.entries(given)) {
    const canonical = canonicalLocale(locale);
    if (canonical !== null) values[canonical] = text;
    else {
      const message = `${JSON.stringify(locale)} must be a language tag such as de-DE`;
      errors.push({ pointer: '/chatGreetingTranslations', message });
    }
  }
  return { values, errors };
}

function localesOf(
  { primaryLocale, availableLocales }: Partial<Record<keyof Locales, string | string[] | undefined>>,
  before: Locales,
): { values: Locales; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const asked = (availableLocales ?? before.availableLocales) as string[];
  const available = asked.map((locale, place) => {
    const canonical = canonicalLocale(locale);
    if (canonical === null) {
      errors.push({ pointer: `/availableLocales/${place}`, message: 'must be a language tag such as en-US' });
    }
    return canonical ?? locale;
  });
  if (new Set(available).size < available.length) {
    errors.push({ pointer: '/availableLocales', message: 'must not name a locale twice' });
  }
  const given = (primaryLocale ?? before.primaryLocale) as string;
  const primary = canonicalLocale(given) ?? given;
  if (!available.includes(primary)) {
    errors.push({ pointer: '/primaryLocale', message: 'must be one of availableLocales' });
  }
  return { values: { primaryLocale: primary, availableLocales: available }, errors };
}

/** What the input names and the workspace does not have. What it names is kept from deletion where that would fail. */
async function missing(tx: Tx, actor: Actor, input: SiteInput): Promise<FieldError[]> {
  const {
    ownerId,
    defaultWorkflowId,
    defaultAssistantMemberId,
    assetsFolderId,
    sourceFolderId,
    signupMemberRoleId,
  } = input;
  const errors: FieldError[] = [];
  if (ownerId !== undefined && (await findMember(tx, ownerId)) === undefined) {
    errors.push({ pointer: '/ownerId', message: 'names no member of this workspace' });
  }
  if (defaultWorkflowId != null) {
    const workflow = await findWorkflowDefinition(tx, defaultWorkflowId);
    if (workflow === undefined || workflow.archivedAt !== null) {
      errors.push({ pointer: '/defaultWorkflowId', message: 'names no workflow of this workspace in use' });
    }
  }
  if (defaultAssistantMemberId != null) {
    const assistant = await findMember(tx, defaultAssistantMemberId);
    if (assistant?.kind !== 'assistant') {
      const message = 'names no assistant of this workspace';
      errors.push({ pointer: '/defaultAssistantMemberId', message });
    }
  }
  for (const [field, id] of Object.entries({ assetsFolderId, sourceFolderId })) {
    if (id == null || (await pinFolder(tx, id, readerOf(actor))) !== undefined) continue;
    errors.push({ pointer: `/${field}`, message: 'names no folder of this workspace' });
  }
  if (signupMemberRoleId != null) {
    const role = (await pinMemberRoles(tx)).find(({ id }) => id === signupMemberRoleId);
    const pointer = '/signupMemberRoleId';
    if (role === undefined) errors.push({ pointer, message: 'names no member role of this workspace' });
    else if (isAdminRole(role)) errors.push({ pointer, message: 'names a role with admin permissions' });
    else await requireCovers(tx, actor, role);
  }
  return errors;
}

export const reportingTakenSlugOfSite = mappingUniqueViolation({
  constraint: 'sites_workspace_id_slug_key',
  pointer: '/slug',
  message: 'Another site of the workspace has this slug.',
});
