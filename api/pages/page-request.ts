import type { Context } from 'koa';
import type { PictureAddresses } from '../../domain/identity/accounts/update-account.js';
import type { AnonymousContext } from '../../domain/identity/sessions/anonymous-context.js';
import type { SignOnServices } from '../../domain/identity/single-sign-on/sign-in-by-provider.js';
import type { AccountContext } from '../../domain/kernel/account-context.js';
import type { ModelsContext } from '../../domain/kernel/context.js';
import { DomainError, InvalidInput } from '../../domain/lib/errors.js';
import type { OAuthServer } from '../oauth/oauth-server.js';
import type { FormTokens } from './form-tokens.js';
import type { FormErrors } from './forms.js';
import { answerPage, type PageContent } from './page.js';

/** What the pages need of the service. */
export interface PageServices extends PictureAddresses {
  oauth: OAuthServer;
  signOn: SignOnServices;
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
}

export interface PersonRequest extends VisitorRequest {
  context: AnonymousContext & ModelsContext & AccountContext;
  /** What the pages show of the person, with the token of their forms. */
  signedIn: NonNullable<PageContent['signedIn']>;
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

/** Answers a person with a page of the settings. */
export function show({ ctx, signedIn }: PersonRequest, page: Omit<PageContent, 'signedIn'>): void {
  answerPage(ctx, { ...page, signedIn });
}

/** A value of the query; the last one of several. */
export function queryText({ query }: Context, name: string): string | undefined {
  return [query[name]].flat().at(-1);
}

/** Sends the browser on with a GET, so that a reload does not send a form again. */
export function goOn(ctx: Context, path: string): void {
  ctx.status = 303;
  ctx.redirect(path);
  ctx.body = '';
}

/**
 * What is wrong with a form, by the names of its fields. @throws every error that is not about what was entered
 * @param names the fields of the form: errors about others are shown without a field
 */
export function formErrorsOf(error: unknown, names: readonly string[]): FormErrors {
  if (!(error instanceof DomainError)) throw error;
  if (!(error instanceof InvalidInput)) return { message: error.message, fields: {} };
  const fields: Record<string, string> = {};
  const others: string[] = [];
  for (const { pointer, message } of error.errors) {
    const name = pointer.split('/')[1] ?? '';
    if (names.includes(name)) fields[name] ??= sentence(message);
    else others.push(message);
  }
  const message = others[0] ?? (error.errors.length === 0 ? error.message : undefined);
  return { ...(message === undefined ? {} : { message: sentence(message) }), fields };
}

function sentence(text: string): string {
  const full = /^\p{Ll}/u.test(text) ? `This ${text}` : text;
  return full.endsWith('.') ? full : `${full}.`;
}
