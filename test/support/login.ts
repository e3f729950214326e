import { LoginSecret } from '../../domain/login-codes/login-secret.js';

/** Of the api and the worker in tests. */
export const testLoginSecretText = 'a secret of tests, of more than 32 characters';
export const testLoginSecret = new LoginSecret(testLoginSecretText);

/** Where login codes of tests are sent from. */
export const testLoginSmsFrom = '+15550100199';
