import { setTimeout as delay } from 'node:timers/promises';
import { fillPool, reserveLoginNumber } from '../domain/channels/phone-number-pool/fill-pool.js';
import type { ServiceContext } from '../domain/kernel/context.js';
import { Conflict } from '../domain/lib/errors.js';
import { type Configuration, ConfigurationError } from './configuration.js';
import type { Logger } from './logger.js';

type PhoneNumberSettings = Partial<Pick<Configuration, 'loginSmsFrom' | 'phoneNumberPool'>>;

const firstPauseMs = 500;
const maxPauseMs = 15_000;
const numberTaken =
  'LOGIN_SMS_FROM is a phone number of a workspace. Login codes need a number that belongs to none.';

/**
 * Updates the pool of phone numbers according to the settings. Retries while the database is unavailable, until
 * `stopping` is aborted.
 * @throws ConfigurationError when LOGIN_SMS_FROM is a number of a workspace
 */
export async function preparePhoneNumbers(
  context: ServiceContext & { logger: Logger },
  settings: PhoneNumberSettings,
  stopping: AbortSignal,
): Promise<void> {
  for (let pauseMs = firstPauseMs; !stopping.aborted; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
    try {
      await reserveLoginNumber(context, settings.loginSmsFrom);
      if (settings.phoneNumberPool !== undefined) await fillPool(context, settings.phoneNumberPool);
      return;
    } catch (error) {
      if (error instanceof Conflict) throw new ConfigurationError(numberTaken);
      const { code } = error as { code?: unknown };
      context.logger.warn({ errorCode: code ?? null }, 'phone numbers not prepared yet');
    }
    await delay(pauseMs, undefined, { signal: stopping }).catch(() => undefined);
  }
}
