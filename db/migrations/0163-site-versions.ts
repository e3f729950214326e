import type { Knex } from 'knex';

/** Columns of sites that visitors see nothing of. Columns of later versions count, unless they are named here. */
const unseen = `'{updated_at, page_count, owner_member_id, assets_folder_id, source_folder_id, source_release_id,
  signup_member_role_id, crawl, crawl_url, crawl_limit, crawl_excluded_tags, crawl_job_id, crawl_started_at,
  crawl_completed_at, crawl_completed, crawl_previous, crawl_failed_at, crawl_error}'::text[]`;

/**
 * The version of each site, which rises with whatever visitors see of it, by whichever release it is written
 * (docs/decisions/0192-pages-of-sites-in-html.md). It is read before a workspace is known, and leads from the UUID to it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table identity.site_versions (
      site_uuid uuid primary key,
      workspace_id bigint not null references identity.workspaces (id),
      site_id bigint not null,
      version bigint not null default 1,
      unique (workspace_id, site_id),
      foreign key (workspace_id, site_id) references sites (workspace_id, id) on delete cascade
    );
    insert into identity.site_versions (site_uuid, workspace_id, site_id)
      select uuid, workspace_id, id from sites;
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

    create trigger begin_version after insert on sites
      for each row execute function identity.begin_site_version();
    -- Deferred: the row of the version is locked last, after all that the transaction locks itself.
    create constraint trigger raise_version after update on sites
      deferrable initially deferred for each row
      when (to_jsonb(old) - ${unseen} is distinct from to_jsonb(new) - ${unseen})
      execute function identity.raise_site_version();

    create constraint trigger raise_version_by_new after insert on site_pages
      deferrable initially deferred for each row when (new.published_at is not null)
      execute function identity.raise_site_version();
    create constraint trigger raise_version_by_change after update of slug, published_at on site_pages
      deferrable initially deferred for each row
      when ((old.published_at is not null or new.published_at is not null)
        and (old.slug, old.published_at) is distinct from (new.slug, new.published_at))
      execute function identity.raise_site_version();
    create constraint trigger raise_version_by_deleted after delete on site_pages
      deferrable initially deferred for each row
      when (old.published_at is not null and pg_trigger_depth() = 0)
      execute function identity.raise_site_version();

    create constraint trigger raise_version_by_new after insert on site_page_documents
      deferrable initially deferred for each row when (new.published_version is not null)
      execute function identity.raise_site_version();
    create constraint trigger raise_version_by_change after update of published_version, published_at
      on site_page_documents deferrable initially deferred for each row
      when ((old.published_version, old.published_at) is distinct from (new.published_version, new.published_at))
      execute function identity.raise_site_version();
    create constraint trigger raise_version_by_deleted after delete on site_page_documents
      deferrable initially deferred for each row
      when (old.published_version is not null and pg_trigger_depth() = 0)
      execute function identity.raise_site_version();

    create constraint trigger raise_version_by_change after insert or update on site_menu_items
      deferrable initially deferred for each row execute function identity.raise_site_version();
    create constraint trigger raise_version_by_deleted after delete on site_menu_items
      deferrable initially deferred for each row when (pg_trigger_depth() = 0)
      execute function identity.raise_site_version();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger raise_version_by_deleted on site_menu_items;
    drop trigger raise_version_by_change on site_menu_items;
    drop trigger raise_version_by_deleted on site_page_documents;
    drop trigger raise_version_by_change on site_page_documents;
    drop trigger raise_version_by_new on site_page_documents;
    drop trigger raise_version_by_deleted on site_pages;
    drop trigger raise_version_by_change on site_pages;
    drop trigger raise_version_by_new on site_pages;
    drop trigger raise_version on sites;
    drop trigger begin_version on sites;
    drop function identity.raise_site_version(), identity.begin_site_version();
    drop table identity.site_versions;
  `);
}
