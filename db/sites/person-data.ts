import type { PersonTables } from '../lib/person-data.js';

/** What the tables of this area hold of a person. */
export const sitesTables: PersonTables = {
  'public.sites': {
    configuration:
      'name slug theme_settings content chat_greeting chat_greeting_translations tag_line meta_description redirect_url crawl_url crawl_excluded_tags google_analytics_id google_adwords_id',
    rest: 'id workspace_id uuid theme is_public is_reseller allow_signup signup_member_role_id owner_member_id default_definition_id default_assistant_member_id home_page_id page_count assets_folder_id source_folder_id source_release_id primary_locale available_locales crawl crawl_limit crawl_job_id crawl_started_at crawl_completed_at crawl_completed crawl_previous crawl_failed_at crawl_error visitor_chats_per_day chat_shows_names created_at updated_at',
  },
  'public.site_pages': {
    configuration: 'slug source_metadata source_html source_markdown source_url',
    rest: 'id workspace_id uuid site_id published_at publish_at scheduled_by_member_id scheduled_api_key_id publish_failure crawled_at created_by_member_id created_at updated_at',
  },
  'public.site_crawls': {
    configuration: 'start_url host excluded_tags robots',
    rest: 'id workspace_id uuid site_id number status page_limit is_conditional delay_ms found read refusals started_by_member_id started_api_key_id started_oauth_grant_id deadline_at created_at updated_at',
  },
  'public.site_crawl_urls': {
    configuration: 'url etag last_modified',
    rest: 'id workspace_id site_id crawl_number url_hash path_hash kind depth redirects state attempts retry_at outcome http_status page_id locale written_version content_hash leads_to_hash fetched_at created_at updated_at',
  },
  'public.site_page_documents': {
    configuration:
      'title meta_description content html markdown amp published_title published_meta_description published_content published_html published_markdown published_amp',
    rest: 'id workspace_id page_id site_id locale version content_bytes edited_by_member_id kept_at published_version published_at indexed_version created_at updated_at',
  },
  'public.page_passages': {
    configuration: 'text tsv',
    rest: 'id workspace_id site_id page_id document_id ordinal language',
  },
  'public.site_page_revisions': {
    configuration: 'title meta_description content',
    rest: 'id workspace_id document_id number version reason edited_by_member_id edited_at created_at',
  },
  'public.site_page_slugs': {
    configuration: 'slug',
    rest: 'id workspace_id site_id page_id created_at',
  },
  'public.site_menu_items': {
    configuration: 'label url icon css_class translations',
    rest: 'id workspace_id site_id parent_id page_id item_type target position is_active created_at updated_at',
  },
  'public.assignment_pages': {
    rest: 'id workspace_id assignment_id page_id attached_by_member_id created_at',
    about: 't.assignment_id in (select id from assignments where member_id = :member)',
    exported: { file: 'assignment-pages' },
    erased: { by: 'delete' },
  },
};
