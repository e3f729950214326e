import Type from 'typebox';
import { labelSlugPattern } from '../../../../domain/kernel/labels.js';
import { crawlLimits } from '../../../../domain/sites/crawl/limits.js';
import { maxLocales } from '../../../../domain/sites/sites/site-values.js';
import { ThemeSettings } from '../../../../domain/sites/themes/theme-settings.js';
import {
  type AnswerOf,
  AnyOf,
  Id,
  Name,
  Nullable,
  OneOf,
  Page,
  PageQuery,
  Picked,
  Time,
  Timestamp,
  Uuid,
} from '../../../http/schemas.js';
import { Locale } from '../access.js';

export const siteThemes = [
  'default',
  'admin-clinical-trial',
  'customer-basic',
  'patient-engagement-demo',
  'operator-product',
  'source-site',
] as const;
const Theme = OneOf(siteThemes, {
  description: 'The look of the pages; `GET …/sites/themes` describes each',
});

const Text = (maxLength: number, description: string) => Type.String({ maxLength, description });
const content = Text(20_000, 'A plain text about the site, shown where it has no home page');
const tagLine = Text(200, 'A line below the name of the site');
const metaDescription = Text(500, 'What search engines show of the site; pages may have one of their own');
const redirectUrl = Type.String({
  maxLength: 2_000,
  description: 'Where visitors are sent instead of to the pages; an address that begins with https://',
});
const isPublic = Type.Boolean({
  description: 'Whether everybody reads the published pages; otherwise members of the workspace only',
});
const isReseller = Type.Boolean({
  description: 'A mark of the client, for sites that offer what others sell; the service does nothing by it',
});
const allowSignup = Type.Boolean({
  description: 'Whether people who are signed in become members through the site, while it is public',
});
const SignupRole = Type.Integer({
  ...Id,
  description:
    'Role of who becomes a member through the site; without admin permissions. None: the first role without admin permissions',
});
const Workflow = Type.Integer({
  ...Id,
  description: 'Workflow that chats of the site begin with. Chats that have begun keep theirs',
});
const Assistant = Type.Integer({
  ...Id,
  description:
    'Member id of the assistant that answers visitors: in chats with the workflow instead of its own, without a workflow alone',
});
const ChatGreeting = Text(500, 'What the chat of visitors begins with, as plain text; none: it begins empty');
const ChatGreetingTranslations = Type.Record(Locale, Type.String({ minLength: 1, maxLength: 500 }), {
  maxProperties: maxLocales,
  description:
    'The greeting in other languages, by locale, such as `de`: the one of the language of the page is shown, else `chatGreeting`',
});
const ChatShowsNames = Type.Boolean({
  description:
    'Whether visitors see the names of the colleagues who write to them; otherwise a colleague is a person of the team',
});
const VisitorChats = Type.Integer({
  minimum: 0,
  maximum: 10_000,
  description: 'Chats that visitors begin on the site within a day at most',
});
const AssetsFolder = Type.Integer({
  ...Id,
  description: 'Folder whose files everybody reads who reads the site, except private ones',
});
const SourceFolder = Type.Integer({ ...Id, description: 'Folder that holds what the pages are made from' });
const SourceRelease = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: "A number of the client's own: the release of its source that the site was made from",
});
const primaryLocale = Type.String({
  minLength: 2,
  maxLength: 35,
  description: 'Locale that a page is shown in where it has no other that was asked for',
});
const googleAnalyticsId = Type.String({
  pattern: '^(G|UA|GT)-[A-Z0-9-]{4,20}$',
  maxLength: 24,
  description: 'Measurement id of Google Analytics; none: pages load no analytics',
});
const googleAdwordsId = Type.String({
  pattern: '^AW-[0-9]{6,15}$',
  maxLength: 18,
  description: 'Conversion id of Google Ads; none: pages load nothing of it',
});
export const crawlUrl = Type.String({
  maxLength: 1_000,
  description: 'Address that crawls begin at; changing it has no effect on a crawl under way',
});
export const crawlLimit = Type.Integer({
  minimum: 1,
  maximum: crawlLimits.maxPages,
  description: `Pages that a crawl reads at most; none: ${crawlLimits.pages}`,
});
export const crawlExcludedTags = Type.Array(
  Type.String({ pattern: '^[A-Za-z][A-Za-z0-9-]{0,30}$', maxLength: 31 }),
  {
    maxItems: crawlLimits.excludedTags,
    description: 'Elements of pages that crawls do not read, such as `section`',
  },
);
const slug = Type.String({
  pattern: labelSlugPattern,
  maxLength: 63,
  description:
    'Short name in lower case, unique among the sites of the workspace; derived from the name by default',
});
const Owner = Type.Integer({ ...Id, description: 'Member who answers for the site' });

/** What only the team of a site needs is optional: it is left out for visitors, and for members without a permission for sites. */
export const SiteResponse = Picked(
  {
    id: Id,
    uuid: Uuid,
    name: Type.String(),
    slug,
    theme: Theme,
    content: Nullable(content),
    authorized: Type.Boolean({ description: 'Whether the caller is a member of the workspace' }),
    tagLine: Nullable(tagLine),
    metaDescription: Nullable(metaDescription),
    customDomain: Nullable(
      Type.String({
        description:
          'Domain that the site claims; for those who do not work on sites only once it maps to the site',
      }),
    ),
    redirectUrl: Nullable(redirectUrl),
    allowSignup,
    isMapped: Type.Boolean({ description: 'Whether `customDomain` is proved, and leads to the site' }),
    isPublic,
    isReseller,
    workspaceName: Type.String({ description: 'Name of the workspace that the site belongs to' }),
    url: Type.String({
      description: 'Address of the site: at its domain if this is mapped, else `defaultUrl`',
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    workspaceUuid: Type.Optional(Uuid),
    defaultUrl: Type.Optional(Type.String({ description: 'Address of the site at the service' })),
    homePageId: Type.Optional(
      Nullable(Type.Integer({ ...Id, description: 'Page that the site opens with' })),
    ),
    themeSettings: Type.Optional(ThemeSettings),
    resolvedThemeSettings: Type.Optional(ThemeSettings),
    primaryLocale: Type.Optional(primaryLocale),
    availableLocales: Type.Optional(Type.Array(Locale, { description: 'Locales that pages can have' })),
    googleAnalyticsId: Type.Optional(Nullable(googleAnalyticsId)),
    googleAdwordsId: Type.Optional(Nullable(googleAdwordsId)),
    organizationLogoUrl: Type.Optional(
      Nullable(
        Type.String({
          description: 'Address of the logo of the organization, a public image; null: there is none',
        }),
      ),
    ),
    permissions: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 15,
        description:
          'What the caller may do with it, as the sum of 1 (read), 2 (change), 4 (delete) and 8 (publish)',
      }),
    ),
    pageCount: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Number of its pages, drafts among them' }),
    ),
    signupMemberRoleId: Type.Optional(Nullable(SignupRole)),
    signupMemberRoleName: Type.Optional(Nullable(Type.String({ description: 'Name of that role' }))),
    ownerId: Type.Optional(Nullable(Owner)),
    defaultWorkflowId: Type.Optional(Nullable(Workflow)),
    defaultAssistantMemberId: Type.Optional(Nullable(Assistant)),
    chatGreeting: Type.Optional(Nullable(ChatGreeting)),
    chatGreetingTranslations: Type.Optional(ChatGreetingTranslations),
    chatShowsNames: Type.Optional(ChatShowsNames),
    visitorChatsPerDay: Type.Optional(VisitorChats),
    assetsFolderId: Type.Optional(Nullable(AssetsFolder)),
    sourceFolderId: Type.Optional(Nullable(SourceFolder)),
    sourceReleaseId: Type.Optional(Nullable(SourceRelease)),
    crawl: Type.Optional(Type.Boolean({ description: 'Whether a crawl of the site is under way' })),
    crawlUrl: Type.Optional(Nullable(crawlUrl)),
    crawlStartedAt: Type.Optional(Nullable(Time({ description: 'When the last crawl began' }))),
    crawlCompletedAt: Type.Optional(
      Nullable(Time({ description: 'When it had read all that it was to read' })),
    ),
    crawlCompleted: Type.Optional(
      Nullable(
        Type.Integer({ minimum: 0, description: 'Pages that the last crawl has read, or has by now' }),
      ),
    ),
    crawlFailedAt: Type.Optional(
      Nullable(Time({ description: 'When the last crawl failed or was cancelled' })),
    ),
    crawlError: Type.Optional(
      Nullable(Type.String({ description: 'Why it has not read all that it was to read: a code' })),
    ),
    crawlExcludedTags: Type.Optional(crawlExcludedTags),
    crawlJobId: Type.Optional(Nullable(Type.String({ description: 'Id of the last crawl' }))),
    crawlPrevious: Type.Optional(
      Nullable(Type.Integer({ minimum: 0, description: 'Pages that the crawl before it had read' })),
    ),
    crawlLimit: Type.Optional(Nullable(crawlLimit)),
  },
  { $id: 'SiteResponse' },
);
export type SiteResponse = AnswerOf<typeof SiteResponse>;
export const SitePage = Page(SiteResponse);

const fields = {
  slug: Type.Optional(slug),
  theme: Type.Optional(Theme),
  themeSettings: Type.Optional(ThemeSettings),
  content: Type.Optional(Nullable(content)),
  tagLine: Type.Optional(Nullable(tagLine)),
  metaDescription: Type.Optional(Nullable(metaDescription)),
  redirectUrl: Type.Optional(Nullable(redirectUrl)),
  isPublic: Type.Optional(isPublic),
  isReseller: Type.Optional(isReseller),
  allowSignup: Type.Optional(allowSignup),
  signupMemberRoleId: Type.Optional(Nullable(SignupRole)),
  ownerId: Type.Optional(Owner),
  defaultWorkflowId: Type.Optional(Nullable(Workflow)),
  defaultAssistantMemberId: Type.Optional(Nullable(Assistant)),
  chatGreeting: Type.Optional(Nullable(ChatGreeting)),
  chatGreetingTranslations: Type.Optional(ChatGreetingTranslations),
  chatShowsNames: Type.Optional(ChatShowsNames),
  visitorChatsPerDay: Type.Optional(VisitorChats),
  assetsFolderId: Type.Optional(Nullable(AssetsFolder)),
  sourceFolderId: Type.Optional(Nullable(SourceFolder)),
  sourceReleaseId: Type.Optional(Nullable(SourceRelease)),
  primaryLocale: Type.Optional(primaryLocale),
  availableLocales: Type.Optional(
    Type.Array(Locale, {
      minItems: 1,
      maxItems: maxLocales,
      description: 'Locales that pages can have, `primaryLocale` among them',
    }),
  ),
  googleAnalyticsId: Type.Optional(Nullable(googleAnalyticsId)),
  googleAdwordsId: Type.Optional(Nullable(googleAdwordsId)),
  crawlUrl: Type.Optional(Nullable(crawlUrl)),
  crawlLimit: Type.Optional(Nullable(crawlLimit)),
  crawlExcludedTags: Type.Optional(crawlExcludedTags),
};

export const CreateSiteRequest = Type.Object({ name: Name(200), ...fields });

export const UpdateSiteRequest = Type.Object(
  {
    name: Type.Optional(Name(200)),
    homePageId: Type.Optional(
      Nullable(Type.Integer({ ...Id, description: 'Page of the site that its address shows; null: none' })),
    ),
    ...fields,
  },
  {
    description:
      'Omitted fields keep their values; `themeSettings` and `chatGreetingTranslations` replace all that they had.',
  },
);

export const DuplicateSiteRequest = Type.Object({ name: Name(200), slug: Type.Optional(slug) });

export const ListSitesQuery = PageQuery(['name', 'createdAt', 'updatedAt'], {
  search: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Part of the name or of the slug' }),
  ),
  isPublic: Type.Optional(Type.Boolean({ description: 'Only sites that are public, or that are not' })),
  theme: Type.Optional(AnyOf(OneOf(siteThemes))),
});
