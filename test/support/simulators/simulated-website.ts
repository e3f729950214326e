import type { SitePage } from '../../../tools/simulators/website/pages.js';
import { html } from '../../../tools/simulators/website/pages.js';
import { type SiteRequest, startWebsite } from '../../../tools/simulators/website/start-website.js';
import { ask } from './ask.js';

export interface SimulatedWebsite {
  /** Where the site is, without a slash at its end. */
  site: string;
  /** Null: there is no such page any more. */
  setPage(path: string, page: SitePage | null): Promise<void>;
  /** A page with a title and contents, like those of the site. */
  setHtml(path: string, title: string, content: string): Promise<void>;
  setKnobs(knobs: object): Promise<void>;
  resetKnobs(): Promise<void>;
  requests(): Promise<{ requests: SiteRequest[]; maxAtOnce: number }>;
  forgetRequests(): Promise<void>;
  close(): Promise<void>;
}

export async function startSimulatedWebsite(): Promise<SimulatedWebsite> {
  const { url, site, close } = await startWebsite({ port: 0 });
  const setPage = (path: string, page: SitePage | null): Promise<void> =>
    ask(url, 'PUT', '/pages', { path, page });
  return {
    site,
    setPage,
    setHtml: (path, title, content) => setPage(path, { body: html(title, content) }),
    setKnobs: (knobs) => ask(url, 'POST', '/knobs', knobs),
    resetKnobs: () => ask(url, 'DELETE', '/knobs'),
    requests: () => ask(url, 'GET', '/requests'),
    forgetRequests: () => ask(url, 'DELETE', '/requests'),
    close,
  };
}
