import type { Context } from 'koa';
import { findSender } from '../../../domain/channels/email/unsubscribe.js';
import type { ServiceContext } from '../../../domain/kernel/context.js';
import { isUuid } from '../../auth/authenticate-member.js';
import { type Html, html } from '../../http/html.js';
import type { Route } from '../../http/route.js';
import type { Problem } from '../../http/schemas.js';
import { told } from './localize-error.js';
import { answerPage, homePath } from './page.js';
import { organizationSignInPath } from './sign-in-by-organization.js';
import { filled, filledHtml, type Language, languageOf } from './texts/language.js';

const unsubscribing = /^\/api\/v2\/w\/([^/]*)\/unsubscribe(?:\/|$)/;
const signingOn = /^\/api\/v2\/o\/[^/]*\/sso\/(?:start|callback)\/?$/;
const ofTheService = /^\/(?:api\/v2|\.well-known)(?:\/|$)/;

/**
 * Answers a browser with a page about a problem, where people open addresses: outside of the API, at links of emails and
 * files, and where a sign-in comes back to. False: programs are answered there as the API says.
 */
export function problemPages(context: ServiceContext): (ctx: Context, problem: Problem) => Promise<boolean> {
  return async (ctx, problem) => {
    if (!wantsPage(ctx)) return false;
    const [, workspace] = unsubscribing.exec(ctx.path) ?? [];
    if (workspace !== undefined && problem.status < 429)
      await answerOldLink(context, ctx, workspace, problem);
    else if (signingOn.test(ctx.path)) answerSignOn(ctx, problem);
    else answerProblemPage(ctx, problem);
    return true;
  };
}

function wantsPage(ctx: Context): boolean {
  if (ctx.accepts('json', 'html') !== 'html') return false;
  if (!ofTheService.test(ctx.path)) return true;
  const route: Route | undefined = ctx.state.route;
  return unsubscribing.test(ctx.path) || signingOn.test(ctx.path) || route?.response.file !== undefined;
}

/** What went wrong, with a way on. */
export function answerProblemPage(ctx: Context, problem: Problem): void {
  // That of the person, where it is known by then.
  const language: Language = ctx.state.language ?? languageOf(ctx);
  const { texts } = language;
  const isMissing = problem.status === 404;
  const title = isMissing
    ? texts.notFoundTitle
    : problem.status >= 500
      ? texts.somethingWrong
      : texts.notPossible;
  const what = isMissing ? html`${texts.notFound}` : told(language, problem);
  // Another host than the service's has no page of it.
  const isElsewhere = problem.status === 421;
  const wayHome = html`<p><a href="${homePath}" class="button">${texts.goHome}</a></p>`;
  answer(ctx, language, problem, {
    title,
    content: html`<p>${what}</p>${isElsewhere ? undefined : wayHome}`,
  });
}

function answerSignOn(ctx: Context, problem: Problem): void {
  const language = languageOf(ctx);
  const { texts } = language;
  answer(ctx, language, problem, {
    title: texts.ssoTitle,
    content: html`<p>${told(language, problem)}</p>
<p class="acts"><a href="${organizationSignInPath}" class="button">${texts.signInAgain}</a>
<a href="/sign-in" class="button quiet">${texts.signInByCode}</a></p>`,
  });
}

/** The law wants a way to opt out, whatever has become of the link. */
async function answerOldLink(
  context: ServiceContext,
  ctx: Context,
  workspace: string,
  problem: Problem,
): Promise<void> {
  // Without a route, the request has not been counted against the quota of its address: nothing is looked up.
  const isCounted = ctx.state.route !== undefined && isUuid(workspace);
  const sender = isCounted ? await findSender(context, workspace) : undefined;
  const language = languageOf(ctx);
  const { texts } = language;
  const address = sender?.address;
  const subject = encodeURIComponent(texts.unsubscribe);
  const link = html`<a href="mailto:${address}?subject=${subject}&amp;body=unsubscribe">${address}</a>`;
  answer(ctx, language, problem, {
    title: texts.linkOldTitle,
    ...(sender === undefined ? {} : { sender: sender.name }),
    content: html`<p>${texts.linkOld}</p>
${address === undefined ? undefined : html`<p>${filledHtml(texts.linkOldWrite, { address: link })}</p>`}
${sender?.postalAddress ? html`<address>${sender.name}, ${sender.postalAddress}</address>` : undefined}`,
  });
}

function answer(
  ctx: Context,
  language: Language,
  { status, requestId }: Problem,
  page: { title: string; content: Html; sender?: string },
): void {
  const id = html`<p class="hint">${filled(language.texts.request, { id: requestId })}</p>`;
  answerPage(ctx, { ...page, status, language, content: html`${page.content}${id}` });
}
