import type { ServiceContext } from '../../kernel/context.js';
import type { InstallationPolicy } from '../../kernel/installation-policy.js';
import type { LoginSecret } from '../login-codes/login-secret.js';

/** The context of a caller who may not be authenticated yet. */
export interface AnonymousContext extends ServiceContext {
  secret: LoginSecret;
  policy: Pick<InstallationPolicy, 'loginCodesPerHour'>;
  visitor: {
    address: string;
    userAgent: string | undefined;
    requestId?: string | undefined;
    /** The session token of the browser, valid or not. */
    sessionToken: string | undefined;
    /** Whether a page may have led the browser here, or somebody is signed in: a sign-in asks first. */
    isLedHere?: boolean;
    /** The signed token of a browser that has signed in before, valid or not. */
    deviceToken: string | undefined;
    /** The sign-in at an identity provider that this browser has begun, encrypted; valid or not. */
    signOnFlow?: string | undefined;
  };
}
