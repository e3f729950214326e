import { describe, expect, it } from 'vitest';
import { checkRedirectUris } from '../../../../domain/identity/oauth/redirect-uris.js';

describe('addresses of one application', () => {
  it.each([
    [['https://app.example/callback', 'https://app.example/other']],
    [['http://127.0.0.1:33418/callback', 'cursor://anysphere.example/callback']],
    [['http://localhost:3000/callback', 'cursor://editor.example/mcp', 'https://editor.example/callback']],
    [['http://127.0.0.1/', 'https://vscode.example/redirect']],
    [['https://localhost:8443/callback']],
  ])('may be of programs and of the web: %j', (uris) => {
    expect(() => checkRedirectUris(uris)).not.toThrow();
  });

  it.each([
    [['http://127.0.0.1/', 'http://app.example/callback'], '/redirectUris/1'],
    [['cursor://editor.example/mcp', 'javascript:alert(1)'], '/redirectUris/1'],
    [['https://app.example/callback', 'https://app.example/*'], '/redirectUris/1'],
    [['https://localhost:8443/callback', 'cursor://editor.example/mcp'], '/redirectUris/0'],
  ])('are each judged alone: %j', (uris, pointer) => {
    expect(() => checkRedirectUris(uris)).toThrow(
      expect.objectContaining({ errors: [expect.objectContaining({ pointer })] }),
    );
  });
});
