import type { ServiceContext } from '../../kernel/context.js';
import type { LoginSecret } from '../login-codes/login-secret.js';

/** Somebody at the door, who may not have said yet who they are. */
export interface AnonymousCaller {
  /** IP address. */
  address: string;
  /** The header, as it came. */
  userAgent: string | undefined;
  /** The token of the session that the browser holds, good or not. */
  sessionToken: string | undefined;
  /** The signed token of a browser that has signed in before, good or not. */
  deviceToken: string | undefined;
}

/** What signing in and out needs besides its input. */
export interface AnonymousContext extends ServiceContext {
  secret: LoginSecret;
  visitor: AnonymousCaller;
}
