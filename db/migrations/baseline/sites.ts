import { tenantKey, timestamps, uuid, withTables } from '../tenant-table.js';

const themes = `'default', 'admin-clinical-trial', 'customer-basic', 'patient-engagement-demo', 'operator-product', 'source-site'`;

/** Columns of sites that visitors see nothing of. Columns of later migrations count, unless they are named here. */
const unseen = `'{updated_at, page_count, owner_member_id, assets_folder_id, source_folder_id, source_release_id,
  signup_member_role_id, crawl, crawl_url, crawl_limit, crawl_excluded_tags, crawl_job_id, crawl_started_at,
  crawl_completed_at, crawl_completed, crawl_previous, crawl_failed_at, crawl_error}'::text[]`;

/** Public sites of a workspace (docs/sites.md) and their pages. */
export const sites = withTables(`
  -- page_count is kept with the pages, so that a list of sites counts none.
  create tenant table sites (
    ${uuid},
    name text not null,
    slug text not null,
    theme text not null default 'default' check (theme in (${themes})),
    theme_settings jsonb not null default '{}',
    content text,
    tag_line text,
    meta_description text,
    redirect_url text,
    is_public boolean not null default false,
    is_reseller boolean not null default false,
    allow_signup boolean not null default false,
    signup_member_role_id bigint references member_roles,
    owner_member_id bigint references members,
    default_definition_id bigint references workflow_definitions on delete set null,
    home_page_id bigint,
    page_count integer not null default 0 check (page_count >= 0),
    assets_folder_id bigint references folders on delete set null,
    source_folder_id bigint references folders on delete set null,
    source_release_id bigint,
    primary_locale text not null default 'en-US',
    available_locales text[] not null default '{en-US}',
    google_analytics_id text,
    google_adwords_id text,
    crawl boolean not null default false,
    crawl_url text,
    crawl_limit integer,
    crawl_excluded_tags text[] not null default '{}',
    crawl_job_id text,
    crawl_started_at timestamptz,
    crawl_completed_at timestamptz,
    crawl_completed integer,
    crawl_previous integer,
    crawl_failed_at timestamptz,
    crawl_error text,
    ${timestamps},
    chat_greeting text,
    visitor_chats_per_day integer not null default 200 check (visitor_chats_per_day >= 0),
    default_assistant_member_id bigint references members on delete set null,
    chat_greeting_translations jsonb not null default '{}',
    chat_shows_names boolean not null default false,
    unique (workspace_id, slug),
    check (primary_locale = any(available_locales))
  );
  create index on sites (workspace_id, signup_member_role_id) where signup_member_role_id is not null;
  create index on sites (workspace_id, owner_member_id);
  create index on sites (workspace_id, default_definition_id) where default_definition_id is not null;
  create index on sites (workspace_id, default_assistant_member_id) where default_assistant_member_id is not null;
  create index on sites (workspace_id, home_page_id) where home_page_id is not null;
  create index on sites (workspace_id, assets_folder_id) where assets_folder_id is not null;
  create index on sites (workspace_id, source_folder_id) where source_folder_id is not null;
  create index on sites (workspace_id, name, id);
  create index on sites (workspace_id, created_at, id);
  create index on sites (workspace_id, updated_at, id);
  -- Files and chats that belong to a site (docs/sites.md).
  alter table files add ${tenantKey('site_id', 'sites', 'on delete set null (site_id)')};
  alter table chats add ${tenantKey('site_id', 'sites', 'on delete set null (site_id)')} not valid;

  -- Several sites may claim a domain; it maps to the one that has proved it by its challenge in the DNS
  -- (docs/decisions/0187-a-domain-maps-after-a-dns-proof.md). They are looked up before a workspace is known.
  create identity table site_domains (
    workspace_id bigint not null references identity.workspaces (id),
    site_id bigint not null,
    domain text not null,
    challenge text not null,
    proved_at timestamptz,
    checked_at timestamptz,
    failure text,
    failing_since timestamptz,
    lapsed_at timestamptz,
    check_at timestamptz,
    ${timestamps},
    unique (workspace_id, site_id),
    unique (workspace_id, domain),
    check (proved_at is null or lapsed_at is null)
  );
  create unique index site_domains_mapped on identity.site_domains (domain) where proved_at is not null;
  create index site_domains_to_check on identity.site_domains (check_at, id) where proved_at is not null;
  -- Claims without a proof end some time after they were made or have lapsed.
  create index site_domains_unproved on identity.site_domains ((coalesce(lapsed_at, created_at)), id)
    where proved_at is null;

  -- Visitors who chat without signing in, by the tokens of their browsers
  -- (docs/decisions/0194-visitors-are-members-that-are-nobody.md). They have no member before their first message.
  -- The token of a visitor who has signed up ends with a session.
  create identity table site_visitors (
    hash bytea not null unique,
    workspace_id bigint not null references identity.workspaces (id),
    site_id bigint not null,
    member_id bigint,
    chat_id bigint,
    session_id bigint references identity.sessions (id) on delete cascade,
    created_at timestamptz not null,
    last_used_at timestamptz not null,
    expires_at timestamptz not null,
    ended_at timestamptz,
    check (chat_id is null or member_id is not null)
  );
  create index site_visitors_of_members on identity.site_visitors (workspace_id, member_id)
    where member_id is not null;
  create index site_visitors_of_sites on identity.site_visitors (workspace_id, site_id);
  create index site_visitors_of_sessions on identity.site_visitors (session_id) where session_id is not null;
  create index site_visitors_expired on identity.site_visitors (expires_at);
`);

/**
 * Pages of sites, their documents in each locale, revisions and earlier slugs
 * (docs/decisions/0190-pages-of-sites.md).
 */
export const pages = withTables(`
  create tenant table site_pages (
    ${uuid},
    site_id bigint not null references sites on delete cascade,
    slug text not null,
    published_at timestamptz,
    publish_at timestamptz,
    scheduled_by_member_id bigint references members,
    scheduled_api_key_id bigint,
    publish_failure text,
    source_metadata jsonb not null default '{}',
    source_html text,
    source_markdown text,
    source_url text,
    crawled_at timestamptz,
    created_by_member_id bigint references members,
    ${timestamps},
    unique (workspace_id, site_id, slug),
    check (publish_at is null or scheduled_by_member_id is not null)
  );
  create index on site_pages (workspace_id, site_id, created_at, id);
  create index on site_pages (workspace_id, site_id, updated_at, id);
  create index on site_pages (workspace_id, publish_at) where publish_at is not null;
  create index on site_pages (workspace_id, scheduled_by_member_id) where scheduled_by_member_id is not null;
  create index on site_pages (workspace_id, created_by_member_id);
  alter table sites add ${tenantKey('home_page_id', 'site_pages', 'on delete set null (home_page_id)')};

  -- The published columns are what visitors read: a copy, made when the page is published. indexed_version is the
  -- published version that the passages of the document are of.
  create tenant table site_page_documents (
    page_id bigint not null references site_pages on delete cascade,
    site_id bigint not null references sites on delete cascade,
    locale text not null,
    version integer not null default 1,
    title text not null,
    meta_description text,
    content jsonb not null,
    html text not null,
    markdown text not null,
    amp text not null,
    content_bytes integer not null,
    edited_by_member_id bigint references members,
    kept_at timestamptz,
    published_version integer,
    published_title text,
    published_meta_description text,
    published_content jsonb,
    published_html text,
    published_markdown text,
    published_amp text,
    published_at timestamptz,
    ${timestamps},
    indexed_version integer,
    unique (workspace_id, page_id, locale),
    check ((published_version is null) = (published_html is null))
  );
  create index on site_page_documents (workspace_id, site_id) include (content_bytes);
  create index on site_page_documents (workspace_id, edited_by_member_id);
  create index on site_page_documents (workspace_id, id)
    where published_version is not null and indexed_version is distinct from published_version;

  create tenant table site_page_revisions (
    document_id bigint not null references site_page_documents on delete cascade,
    number integer not null,
    version integer not null,
    reason text not null check (reason in ('edited', 'published', 'restored')),
    title text not null,
    meta_description text,
    content jsonb not null,
    edited_by_member_id bigint references members,
    edited_at timestamptz not null,
    created_at timestamptz not null,
    unique (workspace_id, document_id, number)
  );
  create index on site_page_revisions (workspace_id, edited_by_member_id);

  create tenant table site_page_slugs (
    site_id bigint not null references sites on delete cascade,
    page_id bigint not null references site_pages on delete cascade,
    slug text not null,
    created_at timestamptz not null default now(),
    unique (workspace_id, site_id, slug)
  );
  create index on site_page_slugs (workspace_id, page_id);

  create tenant table site_menu_items (
    site_id bigint not null references sites on delete cascade,
    parent_id bigint references site_menu_items on delete cascade,
    page_id bigint references site_pages on delete cascade,
    label text not null,
    item_type text not null check (item_type in ('page', 'url', 'products', 'none')),
    url text,
    icon text,
    css_class text,
    target text check (target in ('_self', '_blank')),
    position integer not null,
    is_active boolean not null default true,
    translations jsonb not null default '{}',
    ${timestamps},
    check (page_id is null or item_type = 'page'),
    check (url is null or item_type = 'url')
  );
  create index on site_menu_items (workspace_id, site_id, position);
  create index on site_menu_items (workspace_id, parent_id) where parent_id is not null;
  create index on site_menu_items (workspace_id, page_id) where page_id is not null;

  -- Pages that are attached to assignments (docs/site-pages.md).
  create tenant table assignment_pages (
    assignment_id bigint not null references assignments on delete cascade,
    page_id bigint not null references site_pages on delete cascade,
    attached_by_member_id bigint not null references members,
    created_at timestamptz not null default now(),
    unique (workspace_id, assignment_id, page_id)
  );
  revoke update on assignment_pages from wes_app;
  create index on assignment_pages (workspace_id, page_id);
  create index on assignment_pages (workspace_id, attached_by_member_id);
`);

/**
 * The version of each site, which rises with whatever visitors see of it
 * (docs/decisions/0192-pages-of-sites-in-html.md). It is read before a workspace is known, and leads from the UUID to
 * it. The triggers are deferred: the row of the version is locked last, after all that the transaction locks itself.
 */
export const siteVersions = `
  create table identity.site_versions (
    site_uuid uuid primary key,
    workspace_id bigint not null references identity.workspaces (id),
    site_id bigint not null,
    version bigint not null default 1,
    unique (workspace_id, site_id),
    ${tenantKey('site_id', 'sites', 'on delete cascade')}
  );
  grant select on identity.site_versions to wes_app;
  create function identity.begin_site_version() returns trigger
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
    begin
      insert into identity.site_versions (site_uuid, workspace_id, site_id)
        values (new.uuid, new.workspace_id, new.id);
      return null;
    end $$;
  create function identity.raise_site_version() returns trigger
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
    declare
      changed record;
      changed_site bigint;
    begin
      if tg_op = 'DELETE' then changed := old; else changed := new; end if;
      if tg_table_name = 'sites' then changed_site := changed.id; else changed_site := changed.site_id; end if;
      update identity.site_versions set version = version + 1
        where workspace_id = changed.workspace_id and site_id = changed_site;
      return null;
    end $$;
  revoke execute on function identity.begin_site_version(), identity.raise_site_version() from public;

  create trigger begin_version after insert on sites for each row execute function identity.begin_site_version();
  ${raisedBy('raise_version', 'update on sites', `to_jsonb(old) - ${unseen} is distinct from to_jsonb(new) - ${unseen}`)}
  ${raisedBy('raise_version_by_new', 'insert on site_pages', 'new.published_at is not null')}
  ${raisedBy(
    'raise_version_by_change',
    'update of slug, published_at on site_pages',
    `(old.published_at is not null or new.published_at is not null)
      and (old.slug, old.published_at) is distinct from (new.slug, new.published_at)`,
  )}
  ${raisedBy(
    'raise_version_by_deleted',
    'delete on site_pages',
    'old.published_at is not null and pg_trigger_depth() = 0',
  )}
  ${raisedBy('raise_version_by_new', 'insert on site_page_documents', 'new.published_version is not null')}
  ${raisedBy(
    'raise_version_by_change',
    'update of published_version, published_at on site_page_documents',
    '(old.published_version, old.published_at) is distinct from (new.published_version, new.published_at)',
  )}
  ${raisedBy(
    'raise_version_by_deleted',
    'delete on site_page_documents',
    'old.published_version is not null and pg_trigger_depth() = 0',
  )}
  create constraint trigger raise_version_by_change after insert or update on site_menu_items
    deferrable initially deferred for each row execute function identity.raise_site_version();
  ${raisedBy('raise_version_by_deleted', 'delete on site_menu_items', 'pg_trigger_depth() = 0')}
`;

function raisedBy(name: string, change: string, condition: string): string {
  return `create constraint trigger ${name} after ${change} deferrable initially deferred for each row
    when (${condition}) execute function identity.raise_site_version();`;
}
