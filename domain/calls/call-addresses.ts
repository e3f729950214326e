import type { CallPlace } from './claim-call.js';

/** The parts of the API's addresses that the carrier calls about one call. */
type Named = Pick<CallPlace, 'workspaceUuid' | 'callUuid'>;

/**
 * The address that addresses of a workspace begin with.
 * @param publicPath of its organization; undefined: it has none
 */
export function carrierBase(apiUrl: string, publicPath: string | undefined): string {
  return publicPath === undefined ? apiUrl : `${apiUrl}/public/${publicPath}`;
}

/** What the carrier reports, or asks, about a call. */
export type CallbackName =
  | 'continue'
  | 'recording-consent'
  | 'status'
  | 'machine-detection'
  | 'stream-status';

/** @param base the public address of the API, as `https://…/api/v2` */
export function callbackAddress(
  base: string,
  { workspaceUuid, callUuid }: Named,
  name: CallbackName,
): string {
  return `${base}/w/${workspaceUuid}/carrier-calls/${callUuid}/${name}`;
}

/** What the carrier reports, or asks, about a transfer. */
export function transferAddress(
  base: string,
  { workspaceUuid, callUuid }: Named,
  transferUuid: string,
  name: 'result' | 'announcement',
): string {
  return `${base}/w/${workspaceUuid}/carrier-calls/${callUuid}/transfers/${transferUuid}/${name}`;
}

/** What the carrier asks when an outgoing call is answered (specification: outbound-call-handler). */
export function handlerAddress(
  base: string,
  { workspaceUuid, phoneNumberId, chatId, callId }: CallPlace,
): string {
  return `${base}/w/${workspaceUuid}/chats/outbound-call-handler/${phoneNumberId}/${chatId}/${callId}`;
}
