/**
 * The library of the authorization server. When it is loaded on Node 20 it writes to stderr that it does not support it
 * (decision 172): that would stand among the messages for operators, so it is left out.
 */
const { warn } = console;
console.warn = () => {};
const library = await import('oidc-provider');
console.warn = warn;

export const { Provider, errors, interactionPolicy } = library;
