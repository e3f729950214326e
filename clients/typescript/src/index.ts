export { type Client, type ClientOptions, createClient } from './client.js';
export { ProblemError, StreamError } from './problems.js';
export type { RetryOptions } from './retries.js';
export type * from './schema.js';
export type { CallOptions } from './types.js';
export { type VerifyOptions, verifyWebhook, WebhookError, type WebhookEvent } from './webhooks.js';
