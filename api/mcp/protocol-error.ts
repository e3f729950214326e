import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

/** The error of a message whose parameters are wrong. It quotes none of them. */
export function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
