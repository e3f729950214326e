import type { Context } from 'koa';
import type { PictureAddresses } from '../../../domain/identity/accounts/update-account.js';
import type { AnonymousContext } from '../../../domain/identity/sessions/anonymous-context.js';
import type { SignOnServices } from '../../../domain/identity/single-sign-on/sign-in-by-provider.js';
import type { AccountContext } from '../../../domain/kernel/account-context.js';
import type { ModelsContext } from '../../../domain/kernel/context.js';
import { DomainError, InvalidInput } from '../../../domain/lib/errors.js';
import type { SiteAddresses } from '../../../domain/sites/site-addresses.js';
import { html } from '../../http/html.js';
import type { OAuthServer } from '../../oauth/oauth-server.js';
import type { FormTokens } from './form-tokens.js';
import type { FormErrors } from './forms.js';
import { toldOf } from './localize-error.js';
import { leaveNotice, type NoticeName, takeNotice } from './notices.js';
import { answerPage, type PageContent, type SignedIn } from './page.js';
import { filled, type Language } from './texts/language.js';

/** What the pages need of the service. */
export interface PageServices extends PictureAddresses {
  oauth: Pick<OAuthServer, 'provider'>;
  signOn: SignOnServices;
  sites: SiteAddresses;
  ownOrigin: string;
}

/** The fields of a form that was sent. */
export class SentForm {
  readonly #fields: Record<string, unknown>;

  constructor(fields: Record<string, unknown>) {
    this.#fields = fields;
  }

  one(name: string): string {
    return this.all(name).at(-1) ?? '';
  }

  all(name: string): string[] {
    const value = this.#fields[name];
    return [value].flat().filter((one): one is string => typeof one === 'string');
  }
}

export interface VisitorRequest {
  ctx: Context;
  services: PageServices;
  context: AnonymousContext & ModelsContext;
  form: SentForm;
  formTokens: FormTokens;
  /** Of the person who is signed in, else of its browser. */
  language: Language;
}

export interface PersonRequest extends VisitorRequest {
  context: AnonymousContext & ModelsContext & AccountContext;
  /** What the pages show of the person, with the token of their forms. */
  signedIn: SignedIn;
  /** The values of `:name` in the path. */
  params: Record<string, string>;
}

type Handler<Request> = (request: Request) => Promise<void> | void;

/** A page: what is shown, and what its forms do. */
export type Page =
  | { for: 'anyone'; path: string; get?: Handler<VisitorRequest>; post?: Handler<VisitorRequest> }
  | {
      for: 'person';
      path: string;
      /** A session by the identity provider of an organization is enough. */
      openToProviders?: true;
      get?: Handler<PersonRequest>;
      post?: Handler<PersonRequest>;
    };

/** Answers a person with a page of the settings, which begins with what was done before. */
export function show(request: PersonRequest, page: Omit<PageContent, 'signedIn' | 'language'>): void {
  const { ctx, signedIn, language } = request;
  const notice = ctx.method === 'GET' ? takeNotice(ctx, language) : undefined;
  const content = html`${notice && html`<p role="status" class="done">${notice}</p>`}${page.content}`;
  // The settings are the person's own, which an organization does not speak for.
  const withoutMenu = page.withoutMenu ?? request.context.credential.organizationId !== null;
  answerPage(ctx, { ...page, content, signedIn, language, withoutMenu });
}

/** Answers with a page for somebody who need not be signed in. */
export function showAnyone({ ctx, language }: VisitorRequest, page: Omit<PageContent, 'language'>): void {
  answerPage(ctx, { ...page, language });
}

/** A value of the query; the last one of several. */
export function queryText({ query }: Context, name: string): string | undefined {
  return [query[name]].flat().at(-1);
}

/** Sends the browser on with a GET, so that a reload does not send a form again, and to a page that tells what was done. */
export function goOn(ctx: Context, path: string, notice?: NoticeName, about?: string): void {
  if (notice !== undefined) leaveNotice(ctx, notice, about);
  ctx.status = 303;
  ctx.redirect(path);
  ctx.body = '';
}

/**
 * What is wrong with a form. @throws every error that is not about what was entered
 * @param sentences what each field of the form has to be; errors about others are shown without a field
 */
export function formErrorsOf(
  error: unknown,
  sentences: Readonly<Record<string, string>>,
  language: Language,
): FormErrors {
  if (!(error instanceof DomainError)) throw error;
  if (!(error instanceof InvalidInput)) return { message: toldOf(language, error), fields: {} };
  const fields: Record<string, string> = {};
  let message: string | undefined;
  for (const { pointer, message: detail } of error.errors) {
    const [, name = '', place = ''] = pointer.split('/');
    const text = sentences[name];
    if (text === undefined) message ??= detail;
    else
      fields[name] ??= /^\d+$/.test(place)
        ? filled(language.texts.inLine, { n: Number(place) + 1, text })
        : text;
  }
  if (error.errors.length === 0) message = error.message;
  if (message === undefined) return { fields };
  return { message: toldOf(language, { code: error.code, message }), fields };
}
