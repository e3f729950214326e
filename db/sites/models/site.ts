import { column, json, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

export type SiteTheme =
  | 'default'
  | 'admin-clinical-trial'
  | 'customer-basic'
  | 'patient-engagement-demo'
  | 'operator-product'
  | 'source-site';

export class SiteModel extends tenantTable('sites', {
  uuid: column<string>(),
  name: column<string>('configuration'),
  /** Unique in the workspace. */
  slug: column<string>('configuration'),
  theme: column<SiteTheme>('code'),
  /** What differs from the defaults of the theme. */
  themeSettings: json<Record<string, unknown>>('configuration'),
  /** A plain text that the site shows while it has no home page. */
  content: column<string | null>('configuration'),
  tagLine: column<string | null>('configuration'),
  metaDescription: column<string | null>('configuration'),
  /** Where visitors are sent instead of to the pages. */
  redirectUrl: column<string | null>('configuration'),
  /** Whether visitors read it, who are no members of the workspace. */
  isPublic: column<boolean>(),
  isReseller: column<boolean>(),
  allowSignup: column<boolean>(),
  /** Null: the default role of the workspace. */
  signupMemberRoleId: column<number | null>(),
  ownerMemberId: column<number | null>(),
  /** The workflow that chats of the site begin with. */
  defaultDefinitionId: column<number | null>(),
  /** The assistant that answers visitors: instead of that of the workflow, or alone. */
  defaultAssistantMemberId: column<number | null>(),
  /** What the chat of visitors begins with. */
  chatGreeting: column<string | null>('configuration'),
  /** The same in other languages, by locale. */
  chatGreetingTranslations: json<Record<string, string>>('configuration'),
  /** Whether visitors see the names of colleagues who write to them. */
  chatShowsNames: column<boolean>(),
  /** How many chats visitors begin on the site within a day. */
  visitorChatsPerDay: column<number>(),
  homePageId: column<number | null>(),
  /** Kept with the pages, in their transactions. */
  pageCount: column<number>(),
  assetsFolderId: column<number | null>(),
  sourceFolderId: column<number | null>(),
  /** A number of the client's own. */
  sourceReleaseId: column<number | null>(),
  /** One of the available ones. */
  primaryLocale: column<string>('code'),
  availableLocales: column<string[]>('codes'),
  googleAnalyticsId: column<string | null>('configuration'),
  googleAdwordsId: column<string | null>('configuration'),
  crawl: column<boolean>(),
  crawlUrl: column<string | null>('configuration'),
  crawlLimit: column<number | null>(),
  crawlExcludedTags: column<string[]>('codes'),
  crawlJobId: column<string | null>('id'),
  crawlStartedAt: column<Date | null>(),
  crawlCompletedAt: column<Date | null>(),
  crawlCompleted: column<number | null>(),
  crawlPrevious: column<number | null>(),
  crawlFailedAt: column<Date | null>(),
  crawlError: column<string | null>('code'),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type SiteRow = RowOf<SiteModel>;
