import { Encryption } from '../../../domain/lib/encryption.js';

export const testEncryptionKey = 'an encryption key of tests, of more than 32 characters';
export const testEncryption = new Encryption(testEncryptionKey);
