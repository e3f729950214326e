import type { ServiceContext } from '../../kernel/context.js';
import type { LoginSecret } from '../login-codes/login-secret.js';

/** A caller who may not be authenticated yet. */
export interface AnonymousCaller {
  address: string;
  userAgent: string | undefined;
  /** The session token of the browser, valid or not. */
  sessionToken: string | undefined;
  /** The signed token of a browser that has signed in before, valid or not. */
  deviceToken: string | undefined;
}

export interface AnonymousContext extends ServiceContext {
  secret: LoginSecret;
  visitor: AnonymousCaller;
}
