import { samplePayloads } from '../../../domain/events/events/sample-payloads.js';

/** What is delivered, and what it is signed with, by floor and service alike. */
export const event = { eventType: 'member:updated', payload: samplePayloads['member:updated'] } as const;
export const secret = `whsec_${Buffer.from('32 bytes that nobody has to keep').toString('base64')}`;
