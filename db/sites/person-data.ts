import type { PersonTables } from '../lib/person-data.js';

/** What the tables of this area hold of a person. */
export const sitesTables: PersonTables = {
  'public.sites': {
    configuration:
      'name slug theme_settings content tag_line meta_description redirect_url crawl_url crawl_excluded_tags google_analytics_id google_adwords_id',
    rest: 'id workspace_id uuid theme is_public is_reseller allow_signup signup_member_role_id owner_member_id default_definition_id home_page_id page_count assets_folder_id source_folder_id source_release_id primary_locale available_locales crawl crawl_limit crawl_job_id crawl_started_at crawl_completed_at crawl_completed crawl_previous crawl_failed_at crawl_error created_at updated_at',
  },
};
