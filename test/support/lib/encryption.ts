import { Encryption } from '../../../domain/lib/encryption.js';

/** Of the api and the worker in tests. */
export const testEncryptionKey = 'an encryption key of tests, of more than 32 characters';
export const testEncryption = new Encryption(testEncryptionKey);
