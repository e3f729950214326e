/** The ids of the credential by which something is ordered, as rows store them to ask later whether it is still good. */
export function credentialIds({ kind, id }: { kind: string; id: number }): {
  apiKeyId: number | null;
  oauthGrantId: number | null;
} {
  return {
    apiKeyId: kind === 'api_key' ? id : null,
    oauthGrantId: kind === 'oauth_token' ? id : null,
  };
}
