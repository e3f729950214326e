import Type from 'typebox';
import { pageSlugPattern } from '../../../../domain/sites/pages/page-slugs.js';
import {
  type AnswerOf,
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
import { MetaDescription, TipTapDocument } from '../document-schemas.js';

export const pageStatuses = ['draft', 'scheduled', 'published'] as const;

const Slug = Type.String({
  pattern: pageSlugPattern,
  maxLength: 100,
  description:
    'Part of the address, unique among the pages of the site: lower-case letters, digits, - and _, with at least one letter',
});
const Status = OneOf(pageStatuses, {
  description: 'Whether visitors read it: draft: no; scheduled: from publishAt on; published: yes',
});
const Locales = Type.Array(Locale, { description: 'The locales that the page is written in' });

const common = {
  id: Id,
  uuid: Uuid,
  siteId: Id,
  slug: Type.String(),
  title: Type.String(),
  status: Status,
  url: Type.String({ description: 'Where the service itself shows the page, once it is published' }),
  isHomePage: Type.Boolean({ description: 'Whether it is the home page of the site' }),
  locale: Type.String({ description: 'The locale of the title and the contents: the primary one' }),
  primaryLocale: Type.String({
    description: 'The locale of the site, where the page has it, else its first',
  }),
  availableLocales: Locales,
  publishedAt: Nullable(
    Time({ ...Timestamp, description: 'When visitors could read it first; null: they cannot' }),
  ),
  publishAt: Nullable(
    Time({ ...Timestamp, description: 'When it will be published, as it is then; null: at no time' }),
  ),
  publishFailure: Nullable(
    Type.String({
      description:
        'Why it was not published at its time: `author_not_allowed`: who scheduled it may not do so any more',
    }),
  ),
  hasUnpublishedChanges: Type.Boolean({
    description: 'Whether visitors read an earlier version, until the page is published again',
  }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

export const PageResponse = Picked(
  {
    ...common,
    metaDescription: MetaDescription,
    contentBlocks: TipTapDocument,
    contentMarkdown: Type.String({ description: 'contentBlocks as Markdown' }),
    contentHtml: Type.String({ description: 'contentBlocks as HTML, sanitised' }),
    contentAMP: Type.String({ description: 'contentBlocks as HTML of AMP, sanitised' }),
    sourceMetadata: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'What the page that was crawled says of itself (`title`, `description`, `language`), `isCut`, and `missingSince`: since when it is gone at the source. Empty: none was',
    }),
    sourceHtml: Nullable(
      Type.String({
        description: 'HTML of the contents that were crawled: known elements, without scripts and styles',
      }),
    ),
    sourceMarkdown: Nullable(Type.String({ description: 'Text of the page that was crawled, as Markdown' })),
    sourceUrl: Nullable(Type.String({ description: 'Address of the page that was crawled' })),
    crawledAt: Nullable(Time({ ...Timestamp, description: 'When that page was crawled; null: none was' })),
  },
  { $id: 'PageResponse' },
);
export type PageResponse = AnswerOf<typeof PageResponse>;

export const documentStates = ['draft', 'published', 'changed'] as const;

export const PageSummaryResponse = Picked(
  {
    ...common,
    documents: Type.Array(
      Type.Object({
        locale: Locale,
        state: OneOf(documentStates, {
          description:
            'Whether visitors read it: draft: not in this locale; published: as editors have it; changed: as it was before editors went on',
        }),
      }),
      { description: 'What has become of each document of the page, by locale' },
    ),
  },
  { $id: 'PageSummaryResponse' },
);
export const PageSummaryPage = Page(PageSummaryResponse);

export const ListPagesQuery = PageQuery(['slug', 'createdAt', 'updatedAt'], {
  status: Type.Optional(OneOf(pageStatuses, { description: 'Only pages in this status' })),
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Part of the slug, or of a title in any locale',
    }),
  ),
});

const written = {
  slug: Type.Optional(Slug),
  metaDescription: Type.Optional(MetaDescription),
  contentBlocks: Type.Optional(TipTapDocument),
};

export const CreatePageRequest = Type.Object({
  title: Name(200),
  locale: Type.Optional(
    Type.String({ ...Locale, description: 'A locale of the site; by default its primary one' }),
  ),
  ...written,
});

export const UpdatePageRequest = Type.Object(
  { title: Type.Optional(Name(200)), ...written },
  { description: 'Omitted fields keep their values.' },
);

export const PublishPageRequest = Type.Object({
  publishAt: Type.Optional(
    Nullable(
      Type.String({
        format: 'date-time',
        maxLength: 40,
        description: 'In the future, within a year: the page is published then. Left out or null: at once',
      }),
    ),
  ),
});

export const RenderedPageQuery = Type.Object({
  locale: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Language tag; if the page does not have it, its primary locale is used',
    }),
  ),
  preview: Type.Optional(
    Type.Boolean({
      description: 'True: what editors have, published or not. Needs the permission sites:read',
    }),
  ),
});

export const RenderedPageResponse = Picked(
  {
    id: Id,
    slug: Type.String({ description: 'The slug of the page, also where an earlier one was asked for' }),
    title: Type.String(),
    content: Type.String({ description: 'HTML, sanitised' }),
    contentBlocks: TipTapDocument,
    metaDescription: MetaDescription,
    status: Status,
    locale: Type.String({ description: 'The locale of the answer' }),
    primaryLocale: Type.String({
      description: 'The locale of the site, where the page has it, else its first',
    }),
    availableLocales: Locales,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'RenderedPageResponse' },
);
