import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import type { LoginSecret } from '../../../domain/identity/login-codes/login-secret.js';
import type { ModelsContext } from '../../../domain/kernel/context.js';
import type { InstallationPolicy } from '../../../domain/kernel/installation-policy.js';
import { DomainError, Forbidden } from '../../../domain/lib/errors.js';
import { callerOfBrowser } from '../../auth/authenticate-caller.js';
import { checkOriginOfWrite } from '../../auth/check-origin.js';
import { deviceTokenIn, sessionTokenIn, signOnFlowIn } from '../../auth/session-cookie.js';
import { addressName } from '../../http/address-name.js';
import { html } from '../../http/html.js';
import { answerText } from '../../http/openapi/static-text.js';
import { callerOf } from '../../http/pipeline/caller.js';
import { HttpProblem, toProblem } from '../../http/problem.js';
import { reportQuotas } from '../../http/rate-limits/quota.js';
import type { RateLimits } from '../../http/rate-limits/rate-limits.js';
import { receiveBody } from '../../http/read-body.js';
import { requestSource } from '../../http/request-source.js';
import { accountPages } from './account.js';
import { apiKeyPages } from './api-keys.js';
import { addressPages } from './change-contact.js';
import { connectionPages } from './connections.js';
import { consentPages } from './consent.js';
import type { FormTokens } from './form-tokens.js';
import { form as formTo } from './forms.js';
import { homePages } from './home.js';
import { applicationPages } from './oauth-apps.js';
import { answerPage, homePath, type SignedIn, stylesPath } from './page.js';
import {
  goOn,
  type Page,
  type PageServices,
  type PersonRequest,
  SentForm,
  type VisitorRequest,
} from './page-request.js';
import { answerProblemPage } from './problem-page.js';
import { withReturn } from './return-path.js';
import { sessionPages } from './sessions.js';
import { sharedFolderPages } from './shared-folder.js';
import { signInPages } from './sign-in.js';
import { organizationSignInPages } from './sign-in-by-organization.js';
import { filled, type Language, languageOf } from './texts/language.js';

export interface PagesOptions {
  context: ModelsContext;
  services: PageServices;
  loginSecret: LoginSecret;
  policy: InstallationPolicy;
  formTokens: FormTokens;
  limits: RateLimits;
  /** Logs an error of ours. */
  onFailure(ctx: Context, error: unknown): void;
}

const pages: readonly Page[] = [
  ...signInPages,
  ...organizationSignInPages,
  ...homePages,
  ...accountPages,
  ...addressPages,
  ...apiKeyPages,
  ...applicationPages,
  ...connectionPages,
  ...sessionPages,
  ...consentPages,
  ...sharedFolderPages,
];

/** Serves the pages that people use in a browser. */
export function servePages(options: PagesOptions): Middleware {
  const router = new Router();
  const styles = answerText({ type: 'css', content: asset('tokens.css') + asset('styles.css') });
  router.get(stylesPath, (ctx) => styles(ctx));
  for (const page of pages) {
    const serve =
      (handle: ((request: never) => Promise<void> | void) | undefined) => async (ctx: Context) => {
        await withErrorPage(options, ctx, async () => {
          const request =
            page.for === 'person'
              ? await personRequest(options, ctx, page)
              : await visitorRequest(options, ctx);
          if (request !== undefined) await handle?.(request as never);
        });
      };
    if (page.get !== undefined) router.get(page.path, serve(page.get));
    if (page.post !== undefined) router.post(page.path, serve(page.post));
  }
  return router.routes() as Middleware;
}

function asset(file: string): string {
  return readFileSync(createRequire(import.meta.url).resolve(`#pages/${file}`), 'utf8');
}

/** @throws Forbidden when a form was not sent from a page of ours */
async function visitorRequest(options: PagesOptions, ctx: Context): Promise<VisitorRequest> {
  reportQuotas(ctx, await options.limits.takeAddress(addressName(ctx.ip)));
  const { headers, method } = ctx;
  checkOriginOfWrite({ method, headers, ownOrigin: options.services.ownOrigin });
  return readRequest(options, ctx);
}

async function sentForm(ctx: Context): Promise<SentForm> {
  if (ctx.method !== 'POST') return new SentForm({});
  const parse = await receiveBody(ctx, 'form');
  return new SentForm(parse() as Record<string, unknown>);
}

/**
 * Undefined after a redirect to the sign-in, or where the session is of an organization and the page is not.
 * @throws Forbidden when a form was not sent from a page of ours
 */
async function personRequest(
  options: PagesOptions,
  ctx: Context,
  { openToProviders }: { openToProviders?: true },
): Promise<PersonRequest | undefined> {
  const { context, services, limits, formTokens } = options;
  const { headers, method } = ctx;
  const token = sessionTokenIn(headers);
  const source = requestSource(ctx);
  const caller = await callerOfBrowser(context, { method, headers, ownOrigin: services.ownOrigin, source });
  if (token === undefined || caller === undefined || caller.account === null) {
    reportQuotas(ctx, await limits.takeAddress(addressName(ctx.ip)));
    goOn(ctx, withReturn('/sign-in', method === 'GET' ? ctx.originalUrl : homePath));
    return undefined;
  }
  const { account, credential, owner } = caller;
  const quotaHolder = callerOf({ account, credential, owner });
  if (quotaHolder !== undefined) reportQuotas(ctx, await limits.takeCaller(quotaHolder));
  const visitor = await readRequest(options, ctx);
  if (method === 'POST' && !formTokens.isValid(visitor.form.one('formToken'), token)) throw staleForm();
  const address = account.email ?? account.phone ?? undefined;
  const language = languageOf(ctx, account);
  ctx.state.language = language;
  const signedIn = {
    name: account.name ?? address ?? language.texts.account,
    address,
    formToken: formTokens.tokenFor(token),
  };
  if (credential.organizationId !== null && openToProviders !== true) {
    answerProviderSession(ctx, language, signedIn);
    return undefined;
  }
  return {
    ...visitor,
    context: { ...visitor.context, account, credential },
    language,
    signedIn,
    params: ctx.params,
  };
}

/** The settings and what applications may do are the person's own: no organization speaks for it there. */
function answerProviderSession(ctx: Context, language: Language, { name, formToken }: SignedIn): void {
  ctx.state.problemCode = 'session_by_provider';
  const next = withReturn('/sign-in', ctx.method === 'GET' ? ctx.originalUrl : homePath);
  const { texts } = language;
  answerPage(ctx, {
    title: texts.byProviderTitle,
    status: 403,
    language,
    content: html`<p>${filled(texts.byProvider, { name })}</p>
<p class="acts"><a href="${next}" class="button">${texts.signInByCode}</a> <a href="${homePath}" class="button quiet">${texts.home}</a></p>
${formTo('/sign-out', formToken, html`<button class="quiet">${texts.signOut}</button>`)}`,
  });
}

async function readRequest(
  { context: ofService, services, loginSecret, policy, formTokens }: PagesOptions,
  ctx: Context,
): Promise<VisitorRequest> {
  const { headers } = ctx;
  const visitor = {
    ...requestSource(ctx),
    sessionToken: sessionTokenIn(headers),
    deviceToken: deviceTokenIn(headers),
    signOnFlow: signOnFlowIn(headers),
  };
  const form = await sentForm(ctx);
  const language = languageOf(ctx);
  const context = { ...ofService, secret: loginSecret, policy, visitor };
  return { ctx, services, context, form, formTokens, language };
}

function staleForm(): Forbidden {
  const why = 'The form does not belong to your session. Go back, reload the page and try again.';
  return new Forbidden('form token', why, 'form_refused');
}

/** Errors are pages, too: with nothing of what went wrong inside. */
async function withErrorPage(options: PagesOptions, ctx: Context, serve: () => Promise<void>): Promise<void> {
  try {
    await serve();
  } catch (error) {
    const { problem, headers, log } = toProblem(error, ctx.state.requestId);
    if (log !== undefined || !(error instanceof DomainError || error instanceof HttpProblem))
      options.onFailure(ctx, error);
    ctx.set(headers);
    ctx.state.problemCode = problem.code;
    answerProblemPage(ctx, problem);
  }
}
