import type { Database } from '../../../../db/database.js';
import { TwilioCarrier } from '../../../../providers/carrier/twilio-carrier.js';
import { sign } from '../../../../tools/simulators/carrier/post-webhook.js';
import type { ApiOptions, ApiResponse } from '../../../support/api/api.js';
import { useApiOn } from '../../../support/api/use-api.js';

const authToken = 'a token that only the carrier and we know';
const publicUrl = 'https://public.example.com';
type Form = Record<string, string>;

/** An api that carrier webhooks reach, from the beginning of a suite to its end. */
export function useSignedApi(database: () => Database, more: Pick<ApiOptions, 'models'> = {}) {
  const carrier = new TwilioCarrier({ accountSid: `AC${'0'.repeat(32)}`, authToken });
  const api = useApiOn(database, { carrier, publicUrl, ...more });
  const signature = (path: string, form: Form, token = authToken) => ({
    'X-Twilio-Signature': sign(token, `${publicUrl}/api/v2${path}`, form),
  });
  return {
    /** Calls as the carrier does: a form, signed over the public address and all fields. */
    call: (path: string, form: Form): Promise<ApiResponse<string>> =>
      api.request('POST', path, { form, headers: signature(path, form) }),
    /** Asks by GET: the fields are in the address, which alone is signed. */
    get: (path: string, query: Form): Promise<ApiResponse<string>> =>
      api.request('GET', path, {
        query,
        headers: signature(`${path}?${new URLSearchParams(query)}`, {}),
      }),
    /** The same with another signature, other fields, or none. */
    callUnsigned: (
      path: string,
      form: Form,
      signed?: { path?: string; form?: Form; token?: string },
    ): Promise<ApiResponse<{ code: string }>> => {
      const headers = signed && signature(signed.path ?? path, signed.form ?? form, signed.token);
      return api.request('POST', path, { form, ...(headers === undefined ? {} : { headers }) });
    },
  };
}
