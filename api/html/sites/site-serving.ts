import type { Context } from 'koa';
import type { Actor } from '../../../domain/kernel/actor.js';
import { DomainError } from '../../../domain/lib/errors.js';
import { parseUrl } from '../../../domain/lib/parse-url.js';
import { findSiteIcon } from '../../../domain/sites/public/find-icon.js';
import {
  isWithdrawn,
  listNewestPages,
  listShownPages,
  localeAskedFor,
  type PageAddress,
  previewPage,
  type ShownSite,
  type SiteName,
  type SiteStanding,
  showPage,
  showSite,
  standingOfSite,
} from '../../../domain/sites/public/show-site.js';
import { authenticateMember } from '../../auth/authenticate-member.js';
import { sessionTokenIn } from '../../auth/session-cookie.js';
import { addressName } from '../../http/address-name.js';
import type { Server } from '../../http/pipeline/endpoint.js';
import { HttpProblem, toProblem } from '../../http/problem.js';
import { reportQuotas } from '../../http/rate-limits/quota.js';
import { methodNotAllowed } from '../../http/resource-routers.js';
import { writeAmpPage } from './amp.js';
import { type Answer, answerOf, redirect, send } from './answer.js';
import type { Place } from './document.js';
import { iconCaching, writeIcon } from './icon.js';
import { KeptAnswers } from './kept-answers.js';
import { writeFeed, writeRobots, writeSitemap } from './lists.js';
import { writeDraft, writeMissing, writeShownPage, writeSitePage } from './pages.js';
import { answerPlainPage, answerWayOut } from './plain-page.js';
import { inLook, placeOfPreview } from './preview.js';
import { analyticsOf, chatOf } from './scripts.js';
import { SharedReads } from './shared-reads.js';
import { readSitePath, SiteLinks, type SitePath } from './site-paths.js';
import { stylesOf } from './styles.js';

/** What is asked of a site. */
export interface AskedSite {
  /** Undefined: no site has such a name. */
  name: SiteName | undefined;
  /** Below the address of the site. */
  path: string;
  /** Whether it is asked at a domain: no cookie is read there, and nothing but the site is served. */
  atDomain: boolean;
}

/** A site that the visitor may read, and where. */
interface Visit {
  shown: ShownSite;
  standing: SiteStanding;
  place: Place;
  /** Whether only members of the workspace read it. */
  isPrivate: boolean;
  atDomain: boolean;
  isAmp: boolean;
}

/** Answers what is asked of sites. */
export class SiteServing {
  readonly #server: Server;
  readonly #secret: string;
  readonly #kept = new KeptAnswers();
  readonly #looks = new SharedReads<SiteStanding | undefined>();

  constructor(server: Server, secret: string) {
    this.#server = server;
    this.#secret = secret;
  }

  async serve(ctx: Context, asked: AskedSite): Promise<void> {
    // It would bind the domain of somebody else.
    if (asked.atDomain) ctx.remove('Strict-Transport-Security');
    requireRead(ctx);
    try {
      reportQuotas(ctx, await this.#server.rateLimits.takeAddress(addressName(ctx.ip)));
      const visit = await this.#visit(ctx, asked);
      if (visit === undefined) throw noSuchSite();
      await this.#answer(ctx, visit, readSitePath(asked.path));
    } catch (error) {
      // The service tells it in its own look, which is not there at the domain of a site.
      const isOfService = error instanceof HttpProblem && error.status === 404 && !asked.atDomain;
      if (isOfService || (error instanceof HttpProblem && error.status === 421)) throw error;
      const answer = toProblem(error, ctx.state.requestId);
      this.#server.onFailure(ctx, answer);
      ctx.set(answer.headers);
      ctx.state.problemCode = answer.problem.code;
      answerPlainPage(ctx, answer.problem.status, answer.problem.detail);
    }
  }

  /** @throws HttpProblem 421 for a domain that leads to no site */
  async #visit(ctx: Context, { name, atDomain }: AskedSite): Promise<Visit | undefined> {
    const { context } = this.#server;
    const standing =
      name && (await this.#looks.ask(Object.values(name).join(), () => standingOfSite(context, name)));
    if (standing === undefined) {
      if (atDomain) throw noSuchHost();
      return undefined;
    }
    const shown = await this.#kept.site(standing, () => showSite(context, standing));
    if (shown === undefined) return undefined;
    const isPrivate = !shown.site.isPublic;
    if (isPrivate && (atDomain || (await this.#memberOf(ctx, standing)) === undefined)) return undefined;
    const place = this.#placeOf(ctx, shown, standing, atDomain);
    return { shown, standing, isPrivate, atDomain, place, isAmp: atDomain && queryOf(ctx, 'amp') === '1' };
  }

  /** The member whose browser asks, by its session alone. */
  async #memberOf(
    { method, headers, ip, state }: Context,
    { workspaceUuid }: SiteStanding,
  ): Promise<Actor | undefined> {
    if (sessionTokenIn(headers) === undefined) return undefined;
    const { authorization: _, ...others } = headers;
    const { context, ownOrigin } = this.#server;
    const source = { address: addressName(ip), userAgent: headers['user-agent'], requestId: state.requestId };
    try {
      return await authenticateMember(context, { method, headers: others, ownOrigin, source }, workspaceUuid);
    } catch (error) {
      if (error instanceof DomainError) return undefined;
      throw error;
    }
  }

  #placeOf(ctx: Context, { site }: ShownSite, standing: SiteStanding, atDomain: boolean): Place {
    const { domain } = standing;
    const { publicUrl } = this.#server;
    const base = atDomain ? '' : `/s/${site.uuid}`;
    const canonical = domain === null ? `${publicUrl}/s/${site.uuid}` : `https://${domain}`;
    const asked = queryOf(ctx, 'locale');
    // What others write never runs where a browser keeps the sessions of the service.
    const scripts = [atDomain ? analyticsOf(site) : undefined, chatOf(site, standing, publicUrl)];
    const hasDomain = domain !== null;
    const place = { base, canonical, hasDomain, service: atDomain ? publicUrl : '' };
    const links = new SiteLinks(place, site.primaryLocale, site.homePageId);
    return {
      links,
      locale: localeAskedFor(site, asked),
      logo: logoOf(standing, links),
      scripts: scripts.filter((one) => one !== undefined),
      secret: this.#secret,
    };
  }

  async #answer(ctx: Context, visit: Visit, path: SitePath): Promise<void> {
    const { shown, place, isPrivate } = visit;
    if (path.kind === 'styles') return this.#sendStyles(ctx, visit, path.name);
    if (path.kind === 'robots' && visit.atDomain) return send(ctx, writeRobots(place.links), isPrivate);
    if (path.kind === 'icon') return this.#sendIcon(ctx, visit);
    const away = this.#awayFrom(visit);
    if (path.kind === 'sitemap' || path.kind === 'feed') {
      // Pages that nobody reads are in no list.
      const answer = away === undefined ? await this.#list(visit, path.kind) : undefined;
      return send(ctx, answer ?? writeMissing(shown, place, 404), isPrivate);
    }
    if (away !== undefined && visit.atDomain) return redirect(ctx, 302, away.href);
    // The service itself leads nobody away: its address is trusted, and whoever has a workspace says where the site leads.
    if (away !== undefined) return answerWayOut(ctx, away);
    if (path.kind === 'elsewhere') return redirect(ctx, 301, place.links.below(path.path) + ctx.search);
    if (isPreview(ctx, visit)) return this.#sendPreview(ctx, visit, path);
    if (path.kind === 'home') return this.#sendHome(ctx, visit);
    if (path.kind === 'page') return this.#sendPage(ctx, visit, path.address);
    send(ctx, writeMissing(shown, place, 404), isPrivate);
  }

  /** What editors have, published or not, to those who may read drafts; to others, as if there were no page. */
  async #sendPreview(ctx: Context, visit: Visit, path: SitePath): Promise<void> {
    const { standing } = visit;
    const actor = await this.#memberOf(ctx, standing);
    if (!actor?.can('sites:read')) return send(ctx, writeMissing(visit.shown, visit.place, 404), true);
    const look = queryOf(ctx, 'look');
    const shown = inLook(visit.shown, look);
    const place = placeOfPreview(visit.place, look);
    const address = this.#addressOf(visit, path);
    if (address === undefined && path.kind === 'home') return send(ctx, writeSitePage(shown, place), true);
    const context = { ...this.#server.context, ...standing, actor };
    const draft = address && (await previewPage(context, shown, address, place.locale));
    send(ctx, draft === undefined ? writeMissing(shown, place, 404) : writeDraft(shown, place, draft), true);
  }

  #addressOf({ shown: { site } }: Visit, path: SitePath): PageAddress | undefined {
    if (path.kind === 'page') return path.address;
    return path.kind === 'home' && site.homePageId !== null ? { id: site.homePageId } : undefined;
  }

  async #sendHome(ctx: Context, visit: Visit): Promise<void> {
    const { shown, standing, place, isPrivate } = visit;
    const { homePageId } = shown.site;
    const page = homePageId === null ? undefined : await this.#page(visit, { id: homePageId });
    if (page !== undefined && 'body' in page) return send(ctx, page, isPrivate);
    const what = `site ${variantOf(visit)}`;
    send(ctx, await this.#kept.answer(standing, what, () => writeSitePage(shown, place)), isPrivate);
  }

  async #sendPage(ctx: Context, visit: Visit, address: PageAddress): Promise<void> {
    const { shown, place, isPrivate } = visit;
    const page = await this.#page(visit, address);
    if (page !== undefined && 'movedTo' in page) return redirect(ctx, 301, page.movedTo);
    if (page !== undefined) return send(ctx, page, isPrivate);
    const isGone = await isWithdrawn(this.#server.context, shown, address);
    send(ctx, writeMissing(shown, place, isGone ? 410 : 404), isPrivate);
  }

  /** The page with an address; where another slug of it leads. */
  async #page(visit: Visit, address: PageAddress): Promise<Answer | { movedTo: string } | undefined> {
    const { shown, standing, place, isAmp } = visit;
    const { locale, links } = place;
    const isHome = 'id' in address && address.id === shown.site.homePageId;
    const what = `${isAmp ? 'amp' : 'page'} ${Object.values(address)} ${variantOf(visit)}`;
    return this.#kept.answer<Answer | { movedTo: string } | undefined>(standing, what, async () => {
      const page = await showPage(this.#server.context, shown, address, { locale, isAmp });
      if (page === undefined) return undefined;
      const isThere = 'slug' in address ? address.slug === page.slug : isHome;
      if (!isThere) return { movedTo: links.page(page, locale) };
      return isAmp ? writeAmpPage(shown, place, page) : writeShownPage(shown, place, page);
    });
  }

  #list(visit: Visit, kind: 'sitemap' | 'feed'): Promise<Answer> {
    const { standing, shown, place } = visit;
    const { context } = this.#server;
    return this.#kept.answer(standing, `${kind} ${variantOf(visit)}`, async () =>
      kind === 'sitemap'
        ? writeSitemap(place.links, await listShownPages(context, shown))
        : writeFeed(shown, place.links, await listNewestPages(context, shown, place.locale), place.locale),
    );
  }

  /** The styles of today have a name that no others have. Who asks for others has a page from before. */
  #sendStyles(ctx: Context, visit: Visit, name: string): void {
    const { isPrivate } = visit;
    const { site } = isPreview(ctx, visit) ? inLook(visit.shown, queryOf(ctx, 'look')) : visit.shown;
    const styles = stylesOf(site);
    const isCurrent = name === styles.name;
    const caching = isCurrent ? { 'Cache-Control': 'public, max-age=31536000, immutable' } : {};
    send(ctx, answerOf(styles.css, { 'Content-Type': 'text/css; charset=utf-8', ...caching }), isPrivate);
  }

  /** The picture that the team has put into the folder of assets, else one that the service draws. */
  async #sendIcon(ctx: Context, { shown, standing, place, isPrivate }: Visit): Promise<void> {
    const file = await findSiteIcon(this.#server.context, shown);
    if (file === undefined) return send(ctx, writeIcon(shown.site), isPrivate);
    const { workspaceUuid, siteUuid } = standing;
    const path = `/api/v2/s/${workspaceUuid}/${siteUuid}/files/${file.id}/contents/${file.filename}`;
    redirect(ctx, 302, place.links.writtenFile(path));
    if (!isPrivate) ctx.set('Cache-Control', iconCaching);
  }

  /** Where a site sends its visitors instead; undefined: nowhere, or to itself. */
  #awayFrom({ shown: { site }, standing: { domain } }: Visit): URL | undefined {
    const to = site.redirectUrl === null ? undefined : parseUrl(site.redirectUrl);
    if (to?.protocol !== 'https:') return undefined;
    const isOwnDomain = domain !== null && to.hostname === domain;
    const isOwnPath =
      to.origin === this.#server.ownOrigin && to.pathname.toLowerCase().startsWith(`/s/${site.uuid}`);
    return isOwnDomain || isOwnPath ? undefined : to;
  }
}

/** Everybody reads the logo of an organization at an address of the service. */
function logoOf({ logoWorkspaceUuid, logoFileId }: SiteStanding, links: SiteLinks): string | undefined {
  if (logoWorkspaceUuid === null || logoFileId === null) return undefined;
  return links.writtenFile(`/api/v2/w/${logoWorkspaceUuid}/sharing/files/${logoFileId}/contents/logo`);
}

/** A value of the query; the last one of several. */
function queryOf({ query }: Context, name: string): string | undefined {
  return [query[name]].flat().at(-1);
}

/** Nothing of a preview is served at a domain. */
function isPreview(ctx: Context, { atDomain }: Visit): boolean {
  return !atDomain && queryOf(ctx, 'preview') === 'true';
}

/** In what a page differs by the request. */
function variantOf({ atDomain, place: { locale } }: Visit): string {
  return `${atDomain ? 'domain' : 'service'} ${locale}`;
}

/** @throws HttpProblem 405 */
export function requireRead({ method }: Context): void {
  if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed(['GET', 'HEAD']);
}

function noSuchSite(): HttpProblem {
  return new HttpProblem(404, 'not_found', 'There is no site at this address.');
}

/** No site has the domain that was asked: it has not been proved, or it has lapsed. */
export function noSuchHost(): HttpProblem {
  return new HttpProblem(421, 'unknown_host', 'Nothing is served at this host.');
}
